import {
  type JsonObject,
  type MCPConnection,
  MCPTransportError,
  type RequestOptions,
} from "@x/mcp-transport";
import { delay } from "./backoff.ts";
import type { Clock } from "./clock.ts";

/** How often the server is asked where it names no `pollInterval`. */
const POLL_MS = 1_000;
const SHORTEST_POLL_MS = 20;
const TERMINAL = new Set<unknown>(["completed", "failed", "cancelled"]);

/** Whether a tool that runs only as a task can be called here (MCP 2025-11-25, Tasks). */
export function runsTasks({ info }: MCPConnection): boolean {
  const tasks = objectAt(info.capabilities, "tasks");
  return info.era === "legacy" && objectAt(objectAt(tasks, "requests"), "tools")?.["call"] != null;
}

/**
 * Calls a tool as a task: creates it, asks for its status until it ends, and fetches the result.
 * At the deadline or with the caller's signal the task is cancelled on the server.
 *
 * @throws MCPTransportError, and what the clock ends with
 */
export async function callAsTask(
  connection: MCPConnection,
  params: { readonly name: string; readonly arguments: JsonObject },
  options: RequestOptions,
  clock: Clock,
): Promise<JsonObject> {
  const created = await connection.request("tools/call", { ...params, task: {} }, options);
  let task = taskOf(created);
  const { taskId } = task;
  const request = (method: string) =>
    connection.request(method, { taskId }, { ...options, timeoutMs: clock.remainingMs() });
  try {
    while (!TERMINAL.has(task["status"]) && task["status"] !== "input_required") {
      await delay(pollMs(task), clock.signal);
      task = { ...taskOf({ task: await request("tasks/get") }), taskId };
    }
    // Where the server needs input it asks for it while this request waits.
    return await request("tasks/result");
  } catch (error) {
    if (!clock.ended) throw error;
    const told = connection.request("tasks/cancel", { taskId }, { timeoutMs: 5_000 });
    // The task is given up either way; that the server could not be told changes nothing.
    told.catch(() => undefined);
    throw new MCPTransportError(
      clock.ended === "timeout" ? "timeout" : "aborted",
      `task of tool "${params.name}" given up`,
      { delivery: "unknown", cause: error },
    );
  }
}

function taskOf(result: JsonObject): JsonObject & { readonly taskId: string } {
  const task = objectAt(result, "task");
  const taskId = task?.["taskId"];
  if (task && typeof taskId === "string") return { ...task, taskId };
  throw new MCPTransportError("invalid_result", "the server created no task", {
    delivery: "unknown",
  });
}

function pollMs({ pollInterval }: JsonObject): number {
  return typeof pollInterval === "number" && pollInterval >= 0
    ? Math.max(SHORTEST_POLL_MS, pollInterval)
    : POLL_MS;
}

function objectAt(value: JsonObject | undefined, key: string): JsonObject | undefined {
  const inner = value?.[key];
  return isObject(inner) ? inner : undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
