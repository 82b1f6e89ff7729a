import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll } from "vitest";
import type { StdioServerConfig } from "../../src/index.ts";

export interface CaseConfig extends StdioServerConfig {
  readonly args: readonly string[];
  readonly env: Record<string, string>;
}

export interface CaseEvent {
  readonly ev?: string;
  readonly pid: number;
  readonly m?: { readonly method?: string; readonly params?: { readonly name?: string } };
}

function scriptOf(name: string): string {
  return fileURLToPath(new URL(`../servers/${name}.mjs`, import.meta.url));
}

/** A script of test/servers over stdio, and what it wrote down of itself. */
export function caseServer(
  name: string,
  env: Record<string, string> = {},
): { config: CaseConfig; log: () => CaseEvent[] } {
  const folder = temporaryFolder();
  const file = join(folder, "log");
  return {
    config: {
      name,
      command: process.execPath,
      args: [scriptOf(name)],
      env: { CASE_LOG: file, ...env },
    },
    log: () =>
      existsSync(file)
        ? readFileSync(file, "utf8")
            .trim()
            .split("\n")
            .map((line) => JSON.parse(line))
        : [],
  };
}

const root = mkdtempSync(join(tmpdir(), "mcp-transport-"));
const children: ChildProcess[] = [];

afterAll(() => {
  for (const child of children) child.kill("SIGKILL");
  rmSync(root, { recursive: true, force: true });
});

/** Gone with its content when the tests of the file are over. */
export function temporaryFolder(): string {
  return mkdtempSync(join(root, "t-"));
}

/** A script of test/servers over HTTP on loopback; it ends with the tests of the file. */
export async function caseHttpServer(
  name: string,
  env: Record<string, string> = {},
): Promise<{ url: string; child: ChildProcess; log: () => Promise<HttpCaseEvent[]> }> {
  const child = spawn(process.execPath, [scriptOf(name)], {
    stdio: ["pipe", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  children.push(child);
  const [first] = await once(child.stdout, "data");
  const url = /LISTENING (\S+)/.exec(String(first))?.[1];
  if (url === undefined) throw new Error(`${name} does not listen`);
  return {
    url,
    child,
    log: async () => {
      const response = await fetch(new URL("/__log", url));
      return JSON.parse(await response.text());
    },
  };
}

export interface HttpCaseEvent {
  readonly http: string;
  readonly path: string;
  readonly session?: string;
  readonly m?: { readonly method?: string; readonly params?: Record<string, unknown> };
}
