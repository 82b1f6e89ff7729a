import { firstRepeat } from "./equality.ts";
import { own } from "./json.ts";
import { attempt, below, type Find, listOf, report, type Search } from "./search.ts";
import { seeItems } from "./seen.ts";

export const arrays: Find = (spot) => {
  const { value } = spot;
  if (!Array.isArray(value)) return;
  items(spot, value);
  const repeat = own(spot.form, "uniqueItems") === true ? firstRepeat(value) : undefined;
  if (repeat !== undefined) report(spot, "uniqueItems", repeat);
  contained(spot, value);
  unevaluatedItems(spot, value);
};

function items(spot: Search, value: readonly unknown[]): void {
  const given = own(spot.form, "items");
  const isOld = Array.isArray(given);
  const tuple = isOld ? given : listOf(spot, "prefixItems");
  const restKeyword = isOld ? "additionalItems" : "items";
  const rest = own(spot.form, restKeyword);
  for (const [index, schema] of tuple.slice(0, value.length).entries()) below(spot, schema, index);
  if (rest === false && (isOld || tuple.length > 0)) {
    if (value.length > tuple.length) report(spot, restKeyword, { limit: tuple.length });
  } else if (rest !== undefined) {
    for (let index = tuple.length; index < value.length; index += 1) below(spot, rest, index);
  }
  seeItems(spot.seen, rest === undefined ? tuple.length : value.length);
}

function contained(spot: Search, items: readonly unknown[]): void {
  const schema = own(spot.form, "contains");
  if (schema === undefined) return;
  const minContains = Number(own(spot.form, "minContains") ?? 1);
  const maxContains = own(spot.form, "maxContains");
  const most = Number(maxContains ?? Number.POSITIVE_INFINITY);
  let fitting = 0;
  for (const [index, item] of items.entries()) {
    if (attempt(spot, schema, item).faults.length > 0) continue;
    fitting += 1;
    if (spot.by.containsCounts) spot.seen?.indexes.add(index);
  }
  if (fitting >= minContains && fitting <= most) return;
  const params = maxContains === undefined ? { minContains } : { minContains, maxContains };
  report(spot, "contains", params);
}

function unevaluatedItems(spot: Search, items: readonly unknown[]): void {
  const schema = own(spot.form, "unevaluatedItems");
  if (schema === undefined) return;
  for (let index = spot.seen?.upTo ?? 0; index < items.length; index += 1) {
    if (spot.seen?.indexes.has(index)) continue;
    if (schema === false) {
      report(spot, "unevaluatedItems", { limit: index });
      return;
    }
    below(spot, schema, index);
  }
  seeItems(spot.seen, items.length);
}
