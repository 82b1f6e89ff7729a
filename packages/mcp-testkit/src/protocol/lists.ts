import type { FaultPlan, Fired, Occasion } from "../faults/fault-plan.ts";
import { isObject, type JsonObject, RpcError, rpcCode } from "../json-rpc.ts";

interface Position {
  readonly page: number;
  readonly offset: number;
}

const start: Position = { page: 1, offset: 0 };

export interface List {
  /** The member of a result that holds the items. */
  readonly key: string;
  readonly items: readonly unknown[];
  readonly pageSize: number;
}

/**
 * One page of a list.
 * @throws RpcError -32602 for a cursor that is not ours, or what the `page-error` fault says
 */
export function listPage(
  { key, items, pageSize }: List,
  cursor: unknown,
  plan: FaultPlan,
  occasion: Occasion,
): JsonObject {
  const position = readCursor(cursor);
  const fired = plan.fire("list", { ...occasion, page: position.page });
  const fault = fired.get("page-error");
  if (fault !== undefined) throw new RpcError(fault.code, fault.message);
  const next = plan.due("list", { ...occasion, page: position.page + 1 });
  const mustGoOn = next.some((due) => due.fault === "page-error");
  if (fired.get("endless-pages") !== undefined) return endlessPage(key, items, position);
  if (fired.get("cursor-stuck") !== undefined) {
    return { [key]: items.slice(0, pageSize), nextCursor: "stuck" };
  }
  const end = position.offset + pageSize;
  const page = spoiled(items.slice(position.offset, end), fired);
  if (end >= items.length && !mustGoOn) return { [key]: page };
  return { [key]: page, nextCursor: writeCursor({ page: position.page + 1, offset: end }) };
}

/** Every page repeats the whole list's first item under a name of its own. */
function endlessPage(key: string, items: readonly unknown[], { page }: Position): JsonObject {
  const [first] = items;
  const item = isObject(first) ? { ...first, name: `page_${page}` } : first;
  return { [key]: [item], nextCursor: writeCursor({ page: page + 1, offset: page }) };
}

function spoiled(page: readonly unknown[], fired: Fired): readonly unknown[] {
  const [first] = page;
  const twice =
    fired.get("duplicate-names") !== undefined && isObject(first)
      ? [...page, { ...first, description: "the same name again" }]
      : page;
  return [...(fired.get("malformed-items")?.items ?? []), ...twice];
}

function writeCursor({ page, offset }: Position): string {
  return Buffer.from(`${page}:${offset}`).toString("base64url");
}

function readCursor(cursor: unknown): Position {
  if (cursor === undefined || cursor === "stuck") return start;
  if (typeof cursor === "string") {
    const text = Buffer.from(cursor, "base64url").toString();
    const [, page, offset] = /^(\d{1,15}):(\d{1,15})$/.exec(text) ?? [];
    if (page !== undefined && offset !== undefined) {
      return { page: Number(page), offset: Number(offset) };
    }
  }
  throw new RpcError(rpcCode.invalidParams, "Invalid params: unknown cursor");
}
