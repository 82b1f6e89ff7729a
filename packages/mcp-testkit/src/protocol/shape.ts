import { type Fired, nothingFired } from "../faults/fault-plan.ts";
import { isObject, type JsonObject } from "../json-rpc.ts";

/** Characters of 2, 3 and 4 bytes in UTF-8. */
const letters = "é€😀";

/**
 * The answer as the faults want it: one message, or the same one twice.
 * @param answer a whole JSON-RPC answer
 */
export function shape(answer: JsonObject, fired: Fired): readonly JsonObject[] {
  if (fired === nothingFired) return [answer];
  const shaped = { ...answer, ...result(answer["result"], fired), ...id(answer["id"], fired) };
  return fired.get("duplicate") === undefined ? [shaped] : [shaped, shaped];
}

function result(original: unknown, fired: Fired): JsonObject {
  const malformed = fired.get("malformed-result");
  if (original === undefined) return {};
  if (malformed !== undefined) return { result: malformed.result };
  if (fired.get("empty-result") !== undefined) return { result: {} };
  if (!isObject(original)) return {};
  const { version } = fired.get("wrong-version") ?? {};
  const meta = addedMeta(fired);
  const oldMeta = isObject(original["_meta"]) ? original["_meta"] : {};
  return {
    result: {
      ...original,
      ...(version !== undefined && { protocolVersion: version }),
      ...(meta !== undefined && { _meta: { ...oldMeta, ...meta } }),
    },
  };
}

function addedMeta(fired: Fired): JsonObject | undefined {
  const { bytes } = fired.get("huge") ?? {};
  const split = fired.get("split-utf8");
  if (bytes === undefined && split === undefined) return undefined;
  return {
    ...(bytes !== undefined && { padding: "x".repeat(bytes) }),
    ...(split !== undefined && { letters }),
  };
}

function id(original: unknown, fired: Fired): JsonObject {
  const wrong = fired.get("wrong-id");
  if (wrong !== undefined) return { id: wrong.id };
  return fired.get("string-id") === undefined ? {} : { id: String(original) };
}
