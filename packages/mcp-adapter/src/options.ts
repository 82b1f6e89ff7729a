import type { JsonObject, MCPTransport, OpenOptions } from "@x/mcp-transport";
import { MCPAdapterError } from "./errors.ts";
import type { MCPAdapterEvent } from "./event.ts";
import type { MCPToolFilter } from "./filter.ts";
import type { CompileSchema } from "./ports.ts";
import type { ReplayPolicy } from "./replay.ts";

export interface MCPToolAdapterOptions {
  /**
   * - `auto`: a lost connection is opened again; a server process is started again when it is next
   *   needed
   * - `manual`: the caller calls `reconnect()` or `connect()`; until then calls throw
   *
   * @defaultValue "auto"
   */
  readonly recovery?: "auto" | "manual";
  /** When a call whose connection was lost is sent again. @defaultValue "safe" */
  readonly replay?: ReplayPolicy;
  /** How long recovery pauses after five failures in a row. @defaultValue 30_000 */
  readonly circuitResetMs?: number;
  /** Instead of the one the config describes: a `MockTransport` in tests, or your own. */
  readonly transport?: MCPTransport;
  /** Always applied, beside the filter given to `discoverTools`. */
  readonly filter?: MCPToolFilter;
  /** Calls at the same time; more wait in the order they came. @defaultValue no bound */
  readonly maxConcurrency?: number;
  /** Calls that may wait; one more is `overloaded`. Counts only with `maxConcurrency`. @defaultValue 1_000 */
  readonly maxQueue?: number;
  /** Text of a result beyond this many bytes is cut; the whole stays in `data`. @defaultValue no bound */
  readonly maxResultBytes?: number;
  /** Bytes of JSON that arguments may have. @defaultValue 1_000_000 */
  readonly maxArgumentBytes?: number;
  /** Levels that arguments may have. @defaultValue 64 */
  readonly maxArgumentDepth?: number;
  /** Pages a list may have; beyond that it is refused as a whole. @defaultValue 1_000 */
  readonly maxPages?: number;
  /** Items a list may have, likewise. @defaultValue 20_000 */
  readonly maxTools?: number;
  /** Bytes of JSON a list may have, likewise. @defaultValue 67_108_864 */
  readonly maxListBytes?: number;
  /** @defaultValue `compileSchema` of `@x/tool-schema`, loaded when connecting */
  readonly compileSchema?: CompileSchema;
  /** Sent in the handshake. @defaultValue this package and its version */
  readonly clientInfo?: { readonly name: string; readonly version: string };
  /** Answers what the server asks the user; advertised only if given. */
  readonly onElicit?: (params: JsonObject) => Promise<JsonObject>;
  /** Advertised only if given. */
  readonly roots?: NonNullable<OpenOptions["roots"]>;
  readonly onEvent?: (event: MCPAdapterEvent) => void;
}

const KNOWN: Record<keyof MCPToolAdapterOptions, keyof typeof EXPECTED> = {
  recovery: "recovery",
  replay: "replay",
  circuitResetMs: "timeout",
  transport: "object",
  filter: "object",
  maxConcurrency: "count",
  maxQueue: "count",
  maxResultBytes: "count",
  maxArgumentBytes: "count",
  maxArgumentDepth: "count",
  maxPages: "count",
  maxTools: "count",
  maxListBytes: "count",
  compileSchema: "function",
  clientInfo: "object",
  onElicit: "function",
  roots: "object",
  onEvent: "function",
};

const EXPECTED = {
  recovery: '"auto" or "manual"',
  replay: '"never", "safe" or a function',
  timeout: "a number of milliseconds above 0",
  count: "a whole number above 0",
  function: "a function",
  object: "an object",
};

/** @throws MCPAdapterError `config`, naming the option and what was expected */
export function checkOptions(options: MCPToolAdapterOptions, server: string): void {
  const fail = (message: string): never => {
    throw new MCPAdapterError("config", message, { server });
  };
  if (typeof options !== "object" || options === null) {
    fail('the options must be an object such as { recovery: "manual" }');
  }
  for (const [key, value] of Object.entries(options)) {
    const kind = new Map(Object.entries(KNOWN)).get(key);
    if (kind === undefined) fail(`options.${key} is unknown`);
    else if (value !== undefined && !fits(value, kind)) {
      fail(`options.${key} must be ${EXPECTED[kind]}`);
    }
  }
}

function fits(value: unknown, kind: keyof typeof EXPECTED): boolean {
  if (kind === "recovery") return value === "auto" || value === "manual";
  if (kind === "replay")
    return value === "never" || value === "safe" || typeof value === "function";
  if (kind === "timeout") return typeof value === "number" && value > 0 && value < 2 ** 31;
  if (kind === "count") return Number.isInteger(value) && Number(value) > 0;
  if (kind === "function") return typeof value === "function";
  return typeof value === "object" && value !== null;
}
