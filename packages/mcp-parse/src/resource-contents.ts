import { readBase64 } from "./base64.ts";
import type { ResourceContents } from "./blocks.ts";
import { guarded, MCPParseError } from "./errors.ts";
import { optionalFields, text } from "./fields.ts";
import { isObject, type JsonObject, kindOf, own } from "./json.ts";
import { writeJson } from "./json-text.ts";
import type { Warning } from "./warnings.ts";

const fields = { uri: text, mimeType: text, text, blob: text };

/**
 * The contents of one resource. A field of the wrong type is left out; a `blob` becomes plain
 * base64, or a text that says that it is none.
 */
export function readContents(
  contents: JsonObject,
  path: string,
  warnings: Warning[],
): ResourceContents {
  const { uri: _uri, mimeType: _mimeType, text: _text, blob: _blob, ...others } = contents;
  const { blob, ...sound } = optionalFields(contents, fields, {
    label: "a resource",
    path,
    warnings,
  });
  if (own(contents, "uri") === undefined || own(contents, "uri") === null) {
    const message = "a resource has no uri";
    warnings.push({ code: "invalid_field", message, path: `${path}/uri` });
  }
  const named = { uri: "", ...others, ...sound };
  return blob === undefined ? named : withBlob(named, blob, path, warnings);
}

function withBlob(
  contents: ResourceContents,
  blob: string,
  path: string,
  warnings: Warning[],
): ResourceContents {
  const base64 = readBase64(blob);
  if (!base64.ok) {
    const message = "the blob of a resource is not base64";
    warnings.push({ code: "media_invalid", message, path: `${path}/blob` });
    return { text: "[blob: its data is not base64]", ...contents, mimeType: "text/plain" };
  }
  if (base64.repaired !== undefined) {
    const message = `the blob of a resource was ${base64.repaired}; it is base64 now`;
    warnings.push({ code: "media_repaired", message, path: `${path}/blob` });
  }
  const { data, mimeType } = base64;
  return { ...(mimeType !== undefined && { mimeType }), ...contents, blob: data };
}

/** An answer to `resources/read`. */
export interface Resource {
  readonly contents: readonly ResourceContents[];
  /** The answer as it came. */
  readonly raw: JsonObject;
  readonly warnings: readonly Warning[];
}

/**
 * Reads an answer to `resources/read`: all contents, in order. Single contents in place of the list
 * count as a list of one; an item that is no object becomes a text.
 *
 * @throws MCPParseError `invalid_resource` if there are no contents; `unreadable`
 */
export function readResource(value: unknown): Resource {
  return guarded("the resource", () => {
    const given = isObject(value) ? own(value, "contents") : undefined;
    if (!isObject(value) || !(Array.isArray(given) || isObject(given))) {
      const came = kindOf(isObject(value) ? given : value);
      const message = `a resource must be an object with an array of contents, got ${came}`;
      throw new MCPParseError("invalid_resource", message, { path: "/contents" });
    }
    const warnings: Warning[] = [];
    const items: readonly unknown[] = Array.isArray(given) ? given : [given];
    if (items !== given) {
      const message = "contents must be an array, got an object; it is read as a list of one";
      warnings.push({ code: "invalid_field", message, path: "/contents" });
    }
    const contents = Array.from(items, (item, at) => readOne(item, `/contents/${at}`, warnings));
    return { contents, raw: value, warnings };
  });
}

function readOne(item: unknown, path: string, warnings: Warning[]): ResourceContents {
  try {
    if (!isObject(item)) {
      const message = `contents of a resource must be an object, got ${kindOf(item)}`;
      warnings.push({ code: "invalid_block", message, path });
      return { uri: "", text: typeof item === "string" ? item : writeJson(item).text };
    }
    const contents = readContents(item, path, warnings);
    if (contents.text === undefined && contents.blob === undefined) {
      const message = "contents of a resource have neither text nor blob";
      warnings.push({ code: "invalid_block", message, path });
    }
    return contents;
  } catch {
    warnings.push({ code: "unreadable", message: "contents throw when they are read", path });
    return { uri: "", text: "[contents that cannot be read]" };
  }
}
