import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** The official servers, as a stdio config names them: the same for every program here. */
export const everything = {
  command: process.execPath,
  args: [binOf("@modelcontextprotocol/server-everything"), "stdio"],
};

/** Of this process alone. */
export const folder = realpathSync(mkdtempSync(join(tmpdir(), "programs-")));
process.once("exit", () => rmSync(folder, { recursive: true }));
export const files = {
  command: process.execPath,
  args: [binOf("@modelcontextprotocol/server-filesystem"), folder],
};

/** What `mcp.json` leaves open. */
export const env = {
  NODE: process.execPath,
  EVERYTHING: binOf("@modelcontextprotocol/server-everything"),
  FILESYSTEM: binOf("@modelcontextprotocol/server-filesystem"),
  MEMORY: binOf("@modelcontextprotocol/server-memory"),
  FOLDER: folder,
};

function binOf(name: string): string {
  const manifest = require.resolve(`${name}/package.json`);
  const [entry] = Object.values(require(manifest).bin as Record<string, string>);
  if (entry === undefined) throw new Error(`${name} has no bin`);
  return join(dirname(manifest), entry);
}
