import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ServerCommand } from "./command.ts";

/** What a case server noted: what came in, signals, what it saved. */
export interface CaseNote {
  readonly t: number;
  readonly pid: number;
  readonly ev: string;
  /** The message that came in. */
  readonly m?: { readonly method?: string; readonly params?: Readonly<Record<string, unknown>> };
  /** The HTTP method that it came with. */
  readonly http?: string;
  readonly [field: string]: unknown;
}

export interface CaseServer {
  /** For a stdio config. */
  readonly command: Required<ServerCommand>;
  readonly notes: readonly CaseNote[];
  /** Starts it as an HTTP server on loopback and gives its url. */
  listen(): Promise<string>;
  /** Ends what `listen` started and removes the notes. */
  stop(): Promise<void>;
}

/**
 * One of the misbehaving servers in `cases/`, by the name of its file.
 * @param variables for its environment
 */
export function caseServer(
  name: string,
  variables: Readonly<Record<string, string>> = {},
): CaseServer {
  const folder = mkdtempSync(join(tmpdir(), "case-"));
  const log = join(folder, "notes.jsonl");
  const script = fileURLToPath(new URL(`../cases/${name}.mjs`, import.meta.url));
  const env = { CASE_LOG: log, ...variables };
  const command = { command: process.execPath, args: [script], env };
  let end = async () => {};
  return {
    command,
    get notes() {
      return readNotes(log);
    },
    async listen() {
      const child = spawn(command.command, command.args, {
        env: { ...process.env, ...command.env },
        stdio: ["pipe", "pipe", "ignore"],
      });
      end = async () => {
        child.stdin.end();
        if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      };
      for await (const line of createInterface({ input: child.stdout })) {
        if (line.startsWith("LISTENING ")) return line.slice("LISTENING ".length);
      }
      throw new Error(`${name} does not listen`);
    },
    async stop() {
      await end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function readNotes(log: string): CaseNote[] {
  let text: string;
  try {
    text = readFileSync(log, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
