import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Transport } from "../faults/entry.ts";
import type { AnswerMode } from "../http/http-reply.ts";
import { isObject } from "../json-rpc.ts";
import type { ServiceOptions } from "../protocol/host.ts";
import type { TestTool } from "../protocol/tool.ts";
import { serviceFile } from "../server/control-folder.ts";
import { TestkitError } from "../testkit-error.ts";

export const usage = `mcp-testkit stdio | http | sse [options]

  --port <n>           port on 127.0.0.1 (http, sse); a free one if not given
  --answers <mode>     stream (default) or json (http)
  --page-size <n>      items on a page of a list; 100 if not given
  --tools <json>       [{ "listed": {…}, "result": {…} }, …] beside the built-in tools
  --faults <json>      [{ "fault": "crash", "tool": "effect", "when": "after", "times": 1 }, …]

http and sse print the url of the server when it listens. All end with stdin on stdio, else with a signal.
`;

/** What the command line asks for. */
export interface Asked {
  readonly transport: Transport;
  readonly port: number;
  readonly answers: AnswerMode;
  readonly service: ServiceOptions;
  readonly tools: readonly TestTool[];
  readonly faults: readonly unknown[];
  /** Folder shared with the test that wrote the command line. */
  readonly control: string | undefined;
}

/**
 * Reads the command line.
 * @returns undefined if help is asked for
 * @throws TestkitError `option`
 */
export function readArguments(args: readonly string[]): Asked | undefined {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const transport = oneOf("transport", positionals.join(" "), ["stdio", "http", "sse"]);
  const { control } = values;
  const pageSize = values["page-size"];
  return {
    transport,
    port: values.port === undefined ? 0 : wholeNumber("--port", values.port, 0, 65_535),
    answers: oneOf("--answers", values.answers ?? "stream", ["stream", "json"]),
    service: {
      ...(control !== undefined && serviceOf(control)),
      ...(pageSize !== undefined && {
        pageSize: wholeNumber("--page-size", pageSize, 1, Number.MAX_SAFE_INTEGER),
      }),
    },
    tools: list("--tools", values.tools).map(toolOf),
    faults: list("--faults", values.faults),
    control,
  };
}

function parse(args: readonly string[]) {
  const text = { type: "string" } as const;
  const options = {
    ...{ port: text, answers: text, "page-size": text, tools: text, faults: text, control: text },
    help: { type: "boolean", short: "h" },
  } as const;
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    if (error instanceof TypeError) throw problem(error.message);
    throw error;
  }
}

function serviceOf(control: string): ServiceOptions {
  const service: unknown = JSON.parse(readFileSync(serviceFile(control), "utf8"));
  return isObject(service) ? service : {};
}

function list(option: string, json: string | undefined): readonly unknown[] {
  if (json === undefined) return [];
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw problem(`${option} is no JSON: ${error instanceof Error ? error.message : error}`);
  }
  if (!Array.isArray(value)) throw problem(`${option} is no JSON array`);
  return value;
}

function toolOf(value: unknown): TestTool {
  if (!isObject(value) || !("listed" in value)) throw problem("a tool of --tools has no `listed`");
  const { listed, result } = value;
  return { listed, ...(result !== undefined && { result }) };
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw problem(`${option} is a whole number from ${least} to ${most}`);
}

function oneOf<Name extends string>(what: string, given: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === given);
  if (found === undefined) throw problem(`${what} is ${names.join(", ")}, not "${given}"`);
  return found;
}

function problem(message: string): TestkitError {
  return new TestkitError("option", message);
}
