import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { isObject, type JsonObject } from "../../src/json-rpc.ts";

/** A child process spoken to by lines, without any client in between. */
export interface RawChild {
  readonly process: ChildProcess;
  /** Resolves with exit code or signal. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Resolves when nobody holds the other end of stdout any more. */
  readonly stdoutEnded: Promise<void>;
  readonly chunks: readonly Buffer[];
  readonly text: string;
  readonly stderr: Buffer;
  readonly messages: readonly JsonObject[];
  isLiving(): boolean;
  write(message: unknown): void;
}

export function spawnRaw({ command, args }: { command: string; args: string[] }): RawChild {
  const child = spawn(command, args, { stdio: "pipe" });
  const chunks: Buffer[] = [];
  const stderr: Buffer[] = [];
  let living = true;
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on("error", () => undefined);
  const exited = once(child, "exit").then(([code, signal]) => {
    living = false;
    return code ?? signal;
  });
  const stdoutEnded = once(child.stdout, "end").then(() => undefined);
  return {
    process: child,
    exited,
    stdoutEnded,
    chunks,
    get text() {
      return Buffer.concat(chunks).toString();
    },
    get stderr() {
      return Buffer.concat(stderr);
    },
    get messages() {
      return messagesIn(Buffer.concat(chunks).toString());
    },
    isLiving: () => living,
    write: (message) => {
      child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
    },
  };
}

/** Objects on complete lines. */
export function messagesIn(text: string): JsonObject[] {
  return text
    .split("\n")
    .slice(0, -1)
    .flatMap((line) => {
      try {
        const value: unknown = JSON.parse(line);
        return Array.isArray(value) ? value : [value];
      } catch {
        return [];
      }
    })
    .filter(isObject);
}
