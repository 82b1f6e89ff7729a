import { requiredMethod } from "./client-method.ts";
import { AdapterMCPError } from "./errors.ts";
import type { AgentHost } from "./ports.ts";
import type { ToolDefinition, ToolMiddleware } from "./tool-definition.ts";

/** Put together at run time, so that no bundler or compiler insists on finding it. */
const specifier = ["@rejelly", "core"].join("/");

/** What is used of `@rejelly/core`. */
export interface RejellyCore {
  equipMemo(key: string, make: () => Promise<string>, deps: readonly number[]): Promise<unknown>;
  equipMemory(key: string, initial: number): readonly [unknown, (value: number) => void];
  equipTool(tool: ToolDefinition, options: { middleware: ToolMiddleware[] }): void;
  getContextSignal(): AbortSignal | undefined;
}

/**
 * The host that `equipMCP` works on, over a `@rejelly/core` that you loaded yourself.
 *
 * @throws AdapterMCPError `invalid_port`
 */
export function rejellyHost(core: RejellyCore): AgentHost {
  for (const name of ["equipMemo", "equipMemory", "equipTool", "getContextSignal"]) {
    requiredMethod(core, name, specifier);
  }
  return {
    memo: async (key, make, deps) => core.equipMemo(key, make, deps),
    number(key, initial) {
      const [value, set] = core.equipMemory(key, initial);
      return [Number(value), (next) => set(next)];
    },
    registerTool: (tool, { middleware }) => core.equipTool(tool, { middleware: [...middleware] }),
    signal: () => core.getContextSignal(),
  };
}

let loading: Promise<AgentHost> | undefined;

/**
 * The host over the installed `@rejelly/core`.
 *
 * @throws AdapterMCPError `core_missing`, `invalid_port`
 */
export function installedHost(): Promise<AgentHost> {
  loading ??= load();
  return loading;
}

async function load(): Promise<AgentHost> {
  let core: RejellyCore;
  try {
    core = await import(/* @vite-ignore */ /* webpackIgnore: true */ specifier);
  } catch (cause) {
    if (!isMissing(cause)) throw cause;
    const message = `equipMCP needs ${specifier}: install it (npm install ${specifier}), or bind another framework with createEquipMCP(host)`;
    throw new AdapterMCPError("core_missing", message, { cause });
  }
  return rejellyHost(core);
}

/** Node says so by a code, bundlers and other runtimes in words. */
function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !error.message.includes(specifier)) return false;
  const code = "code" in error ? String(error.code) : "";
  return (
    /MODULE_NOT_FOUND$/.test(code) ||
    /(?:could ?not|cannot|failed to) (?:find|resolve)/i.test(error.message)
  );
}

/** The signal of the Rejelly agent that is running, if there is one. */
export async function rejellySignal(): Promise<AbortSignal | undefined> {
  try {
    return (await installedHost()).signal?.();
  } catch (error) {
    // Without the framework there is no agent that could be stopped.
    if (error instanceof AdapterMCPError && error.code === "core_missing") return undefined;
    throw error;
  }
}
