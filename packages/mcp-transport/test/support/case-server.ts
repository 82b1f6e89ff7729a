import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type CaseNote, type CaseServer, caseServer as startCase } from "@x/test-servers";
import { afterAll } from "vitest";
import type { StdioServerConfig } from "../../src/index.ts";

export interface CaseConfig extends StdioServerConfig {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

const root = mkdtempSync(join(tmpdir(), "mcp-transport-"));
const servers: CaseServer[] = [];

afterAll(async () => {
  await Promise.all(servers.map((server) => server.stop()));
  rmSync(root, { recursive: true, force: true });
});

/** Gone with its content when the tests of the file are over. */
export function temporaryFolder(): string {
  return mkdtempSync(join(root, "t-"));
}

/** A case server over stdio, and what it noted. */
export function caseServer(
  name: string,
  env: Record<string, string> = {},
): { config: CaseConfig; log: () => readonly CaseNote[] } {
  const server = startCase(name, env);
  servers.push(server);
  return { config: { name, ...server.command }, log: () => server.notes };
}

/** A case server over HTTP on loopback, and the requests that it noted. */
export async function caseHttpServer(
  name: string,
): Promise<{ url: string; log: () => readonly CaseNote[] }> {
  const server = startCase(name);
  servers.push(server);
  const url = await server.listen();
  return { url, log: () => server.notes.filter(({ ev }) => ev === "http") };
}

/** A server of `@modelcontextprotocol/server` over stdio. */
export function modernStdioServer(env: Record<string, string>): CaseConfig {
  const script = fileURLToPath(new URL("../servers/modern.mjs", import.meta.url));
  return { name: "modern", command: process.execPath, args: [script], env };
}
