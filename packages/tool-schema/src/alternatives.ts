import type { Engine, Fault } from "./engine.ts";
import { isObject, pointer } from "./json.ts";

/** Who can judge a part of a schema by itself. */
export interface Judge {
  readonly engine: Engine;
  /** Where each schema object stands in the whole, as a JSON pointer. */
  readonly pointers: ReadonlyMap<object, string>;
}

/** What is wrong by each of several judgements; where nothing is, undefined. */
export type Judgements = readonly (readonly Fault[] | undefined)[];

/**
 * What led to the fault of a keyword that judges several times: a value by each alternative of
 * `anyOf` and `oneOf`, each item by `contains`. Undefined for other keywords, and if the engine
 * cannot take them apart.
 */
function judgeAgain(fault: Fault, { engine, pointers }: Judge): Judgements | undefined {
  const { keyword, parentSchema, schema, data } = fault;
  const base = isObject(parentSchema) ? pointers.get(parentSchema) : undefined;
  if (base === undefined) return undefined;
  const place = pointer(base, keyword);
  const faultsBy = (by: unknown, at: string, value: unknown): readonly Fault[] | undefined => {
    if (typeof by !== "boolean") return engine.faultsAt(at, value);
    return by ? undefined : [{ ...fault, keyword: "false schema", instancePath: "" }];
  };
  try {
    if ((keyword === "anyOf" || keyword === "oneOf") && Array.isArray(schema)) {
      return schema.map((each, index) => faultsBy(each, pointer(place, index), data));
    }
    if (keyword === "contains" && Array.isArray(data)) {
      return data.map((item) => faultsBy(schema, place, item));
    }
  } catch {
    // The verdict stands; only its explanation is shorter.
  }
  return undefined;
}

/**
 * How many of the faults reported before one belong to it: the engine reports what it tried inside
 * a keyword first and the keyword last.
 */
function countInner({ keyword, params }: Fault, judgements: Judgements): number {
  const enough = keyword === "oneOf" ? 2 : Number(params["maxContains"] ?? Number.NaN) + 1;
  let count = 0;
  let fitting = 0;
  for (const faults of judgements) {
    if (faults === undefined) fitting += 1;
    else count += faults.length;
    // Here the engine stops trying.
    if (fitting === enough) break;
  }
  return count;
}

/** A fault with what led to it. */
export interface Outer {
  readonly fault: Fault;
  readonly judgements: Judgements | undefined;
}

/** Faults that are looked at; a value that breaks its schema everywhere has one for each spot. */
const MAX_FAULTS = 1_000;

/** The faults without those that only say what was tried inside another one. */
export function outermost(faults: readonly Fault[], judge: Judge): Outer[] {
  const found: Outer[] = [];
  for (let at = Math.min(faults.length, MAX_FAULTS) - 1; at >= 0; at -= 1) {
    const fault = faults[at];
    if (fault === undefined || summaries.has(fault.keyword)) continue;
    const judgements = judgeAgain(fault, judge);
    found.push({ fault, judgements });
    if (judgements !== undefined) at -= countInner(fault, judgements);
  }
  return found.reverse();
}

/** Keywords whose fault follows faults that say the same more precisely. */
const summaries: ReadonlySet<string> = new Set(["if", "propertyNames"]);

/** The index of the alternative that the value comes nearest to. */
export function closest(alternatives: Judgements, judge: Judge): number {
  const distances = alternatives.map((faults) => distance(faults ?? [], judge, 0));
  return distances.indexOf(Math.min(...distances));
}

/** How far a value is from fitting. `depth` is that of the value below the one in question. */
function distance(faults: readonly Fault[], judge: Judge, depth: number): number {
  return outermost(faults, judge).reduce((sum, { fault, judgements }) => {
    const at = depth + fault.instancePath.split("/").length - 1;
    const alternatives = fault.keyword === "contains" ? undefined : judgements;
    if (alternatives === undefined) return sum + weight(fault.keyword, at);
    return sum + Math.min(...alternatives.map((each) => distance(each ?? [], judge, at)));
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
export function areScalar(alternatives: Judgements): boolean {
  return alternatives.every((faults) => {
    const [fault] = faults ?? [];
    return faults?.length === 1 && fault?.instancePath === "" && scalarKeywords.has(fault.keyword);
  });
}

const scalarKeywords: ReadonlySet<string> = new Set(["type", "const", "enum"]);
