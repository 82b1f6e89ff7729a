import type { Alternatives, Fault } from "./fault.ts";

/** The index of the alternative that the value comes nearest to. */
export function closest(alternatives: Alternatives): number {
  const distances = alternatives.map((faults) => distance(faults ?? [], 0));
  return distances.indexOf(Math.min(...distances));
}

/** How far a value is from fitting. `depth` is that of the value below the one in question. */
function distance(faults: readonly Fault[], depth: number): number {
  return faults.reduce((sum, { instancePath, keyword, alternatives }) => {
    const at = depth + instancePath.split("/").length - 1;
    if (alternatives === undefined) return sum + weight(keyword, at);
    return sum + Math.min(...alternatives.map((each) => distance(each ?? [], at)));
  }, 0);
}

/**
 * A value of another type is far off; one with another tag was hardly meant; what is wrong deep
 * inside shows that the outer part was met.
 */
function weight(keyword: string, depth: number): number {
  if (depth === 0 && (keyword === "type" || keyword === "false schema")) return 1_000_000;
  if (depth > 1) return 1;
  return keyword === "const" || keyword === "enum" ? 1_000 : 10;
}

/** Whether every alternative is about the value itself and not about what is inside it. */
export function areScalar(alternatives: Alternatives): boolean {
  return alternatives.every((faults) => {
    const [fault] = faults ?? [];
    return faults?.length === 1 && fault?.instancePath === "" && scalarKeywords.has(fault.keyword);
  });
}

const scalarKeywords: ReadonlySet<string> = new Set(["type", "const", "enum"]);
