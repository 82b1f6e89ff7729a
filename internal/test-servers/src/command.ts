import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);

/** What a stdio server config needs to start one of these servers. */
export interface ServerCommand {
  readonly command: string;
  readonly args: string[];
  readonly env?: Record<string, string>;
}

export function binOf(packageName: string): string {
  const manifestPath = require.resolve(`${packageName}/package.json`);
  const { bin } = JSON.parse(readFileSync(manifestPath, "utf8")) as { bin: Record<string, string> };
  const [entry] = Object.values(bin);
  if (entry === undefined) throw new Error(`${packageName} has no bin`);
  return join(dirname(manifestPath), entry);
}

export function everything(): ServerCommand {
  return {
    command: process.execPath,
    args: [binOf("@modelcontextprotocol/server-everything"), "stdio"],
  };
}

export function filesystem(folder: string): ServerCommand {
  return {
    command: process.execPath,
    args: [binOf("@modelcontextprotocol/server-filesystem"), folder],
  };
}

/** @param file where the knowledge graph is kept; absolute */
export function memory(file: string): ServerCommand {
  return {
    command: process.execPath,
    args: [binOf("@modelcontextprotocol/server-memory")],
    env: { MEMORY_FILE_PATH: file },
  };
}

/** A plain-node server that lists the given tools as they are and answers a call with `result`, or with `{ name, args }` as text. */
export function echo(tools: readonly object[], result?: unknown): ServerCommand {
  return {
    command: process.execPath,
    args: [fileURLToPath(new URL("../cases/_echo.mjs", import.meta.url))],
    env: {
      TOOLS_JSON: JSON.stringify(tools),
      ...(result !== undefined && { RESULT_JSON: JSON.stringify(result) }),
    },
  };
}
