import type { Fault } from "./fault.ts";
import { own } from "./json.ts";
import { also, attempt, type Find, listOf, report, type Search } from "./search.ts";
import { addSeen } from "./seen.ts";

/** Keywords that only look at the value. */
export const plainly =
  (...keywords: readonly string[]): Find =>
  (spot) => {
    for (const keyword of keywords) {
      const assertion = spot.assertions.get(keyword);
      if (assertion?.fits(spot.value) === false) report(spot, keyword, assertion.params);
    }
  };

export const reference: Find = (spot) => {
  const target = Object.hasOwn(spot.form, "$ref") ? spot.by.targets.get(spot.schema) : undefined;
  if (target !== undefined) also(spot, target);
};

export const exclusion: Find = (spot) => {
  const not = own(spot.form, "not");
  if (not !== undefined && attempt(spot, not).faults.length === 0) report(spot, "not", {});
};

export const alternatives: Find = (spot) => {
  union(spot, "anyOf", Number.POSITIVE_INFINITY);
  union(spot, "oneOf", 1);
};

function union(spot: Search, keyword: "anyOf" | "oneOf", most: number): void {
  const tried: (readonly Fault[] | undefined)[] = [];
  let fitting = 0;
  for (const each of listOf(spot, keyword)) {
    const { faults, seen } = attempt({ ...spot, at: "" }, each);
    tried.push(faults.length === 0 ? undefined : faults);
    if (faults.length > 0) continue;
    fitting += 1;
    addSeen(spot.seen, seen);
    if (keyword === "anyOf" && spot.seen === undefined) return;
  }
  if (tried.length > 0 && (fitting === 0 || fitting > most)) report(spot, keyword, {}, tried);
}

export const conjunctions: Find = (spot) => {
  for (const each of listOf(spot, "allOf")) also(spot, each);
  const condition = own(spot.form, "if");
  if (condition === undefined) return;
  const { faults, seen } = attempt(spot, condition);
  if (faults.length === 0) addSeen(spot.seen, seen);
  also(spot, own(spot.form, faults.length === 0 ? "then" : "else"));
};
