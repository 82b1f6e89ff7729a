import { isPattern } from "./patterns.ts";

/** An escape, a bracket, a counted repetition, or one other character. */
const tokens = /\\(?:x[\da-f]{2}|u[\da-f]{4}|c[a-z]|.)|\{\d+(?:,\d*)?\}|./gis;

const legalEscape = /^\\(?:[\^$\\.*+?()[\]{}|/bBdDsSwWfnrtv\d]|x..|u....|c.)$/s;
const classEscape = /^\\[dswDSW]$/;

/**
 * A pattern with the meaning it has without the flag `u`, as one that is legal with it. Undefined
 * where that cannot be said, as for a repeated look-ahead.
 */
export function unicodePattern(pattern: string): string | undefined {
  if (isPattern(pattern, "u")) return pattern;
  const parts = pattern.match(tokens) ?? [];
  let isInClass = false;
  const written = parts.map((part, index) => {
    if (isInClass) {
      if (part === "]") isInClass = false;
      return insideClass(part, parts[index - 1] ?? "", parts[index + 1] ?? "");
    }
    if (part === "[") isInClass = true;
    return outsideClass(part);
  });
  const translated = written.join("");
  return isPattern(translated, "u") ? translated : undefined;
}

function outsideClass(part: string): string {
  if (part.startsWith("\\")) return unescaped(part);
  return part === "{" || part === "}" || part === "]" ? `\\${part}` : part;
}

function insideClass(part: string, before: string, after: string): string {
  if (part === "\\-") return part;
  if (part.startsWith("\\")) return unescaped(part);
  const isRange = !classEscape.test(before) && !classEscape.test(after);
  return part === "-" && !isRange ? "\\-" : part;
}

/** Without `u`, a backslash before what needs none counts for nothing. */
function unescaped(part: string): string {
  return legalEscape.test(part) ? part : part.slice(1);
}
