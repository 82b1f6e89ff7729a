import { statSync } from "node:fs";
import { isAbsolute, resolve, sep } from "node:path";
import type { StdioServerConfig } from "../config.ts";
import { MCPTransportError } from "../errors.ts";

/** Says which of command and working directory is wrong; the system gives one code for both. */
export function spawnFailure(
  label: string,
  config: StdioServerConfig,
  error: unknown,
): MCPTransportError {
  const code = systemCode(error);
  const why = explain(config, code) ?? `could not be started: ${code ?? "unknown reason"}`;
  // The system's own error holds the arguments.
  const cause = new Error(`spawn ${code ?? "failed"}`);
  return new MCPTransportError("spawn", `${label}: ${why}`, { cause, delivery: "not_sent" });
}

function explain({ command, cwd }: StdioServerConfig, code: string | undefined) {
  if (cwd !== undefined) {
    const kind = kindOf(cwd);
    if (kind === "missing") return `the working directory ${cwd} does not exist`;
    if (kind === "file") return `the working directory ${cwd} is not a directory`;
  }
  const path = command.includes(sep) || command.includes("/") ? pathOf(command, cwd) : undefined;
  const kind = path === undefined ? "missing" : kindOf(path);
  if (kind === "directory") return `the command ${command} is a directory`;
  if (code === "EACCES") return `the command ${command} is not executable`;
  if (code !== "ENOENT") return undefined;
  if (kind === "file") return `the command ${command} names an interpreter that does not exist`;
  const where = path === undefined ? " in PATH" : "";
  return `the command ${command} was not found${where}`;
}

function pathOf(command: string, cwd: string | undefined): string {
  return isAbsolute(command) ? command : resolve(cwd ?? ".", command);
}

function kindOf(path: string): "missing" | "file" | "directory" {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return "missing";
  return stats.isDirectory() ? "directory" : "file";
}

function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : undefined;
}
