import { type Method, methodOf } from "./client-method.ts";
import { AdapterMCPError } from "./errors.ts";
import { isObject, type JsonObject, quoted } from "./json.ts";
import type { CallParams } from "./ports.ts";
import { anything, recorder } from "./sdk-request.ts";

/** How long the server has to take note that a task was given up. */
const CANCEL_MS = 5_000;

/**
 * Calls a tool that runs only as a task (MCP 2025-11-25, Tasks), through SDK v1. With the signal
 * the task is cancelled on the server.
 *
 * @throws AdapterMCPError `unsupported`, and what the server or the client says
 */
export async function callAsTask(
  client: object,
  params: CallParams,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const tasks = tasksOf(client);
  const stream = tasks && methodOf(tasks, "callToolStream");
  if (tasks === undefined || stream === undefined) {
    throw noTasks(params.name, "this client has no experimental.tasks");
  }
  const { schema, seen } = recorder();
  const messages = stream(params, schema, { ...(signal && { signal }), task: {} });
  if (!isIterable(messages)) throw noTasks(params.name, "callToolStream() gives no messages");
  const task: TaskState = { taskId: undefined, status: undefined };
  const giveUp = () => cancel(tasks, task.taskId);
  signal?.addEventListener("abort", giveUp, { once: true });
  for await (const message of messages) {
    if (!isObject(message)) continue;
    if (message["type"] === "result") return message["result"];
    if (message["type"] === "error") return afterError(tasks, task, message["error"], seen());
    note(task, message["task"]);
  }
  const why = "its task ended without a result";
  throw new AdapterMCPError("tool_error", `tool ${quoted(params.name)}: ${why}`, {
    toolName: params.name,
  });
}

interface TaskState {
  taskId: string | undefined;
  status: unknown;
}

/** @throws AdapterMCPError `unsupported` */
export function noTasks(name: string, why: string): AdapterMCPError {
  const message = `tool ${quoted(name)} runs only as a task (MCP 2025-11-25): ${why}; SDK v1 clients from 1.24.0 on and adapter.client of @x/mcp-adapter run such tools`;
  return new AdapterMCPError("unsupported", message, { toolName: name });
}

function tasksOf(client: object): object | undefined {
  const experimental: unknown = Reflect.get(client, "experimental");
  const tasks = isObject(experimental) ? experimental["tasks"] : undefined;
  return isObject(tasks) ? tasks : undefined;
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}

function note(task: TaskState, told: unknown): void {
  if (!isObject(told)) return;
  const { taskId, status } = told;
  if (typeof taskId === "string") task.taskId = taskId;
  task.status = status;
}

/** What came before the error counts; of a failed task the SDK says no more than that it failed. */
async function afterError(
  tasks: object,
  { taskId, status }: TaskState,
  error: unknown,
  seen: { value: unknown } | undefined,
): Promise<unknown> {
  if (seen !== undefined) return seen.value;
  const result: Method | undefined =
    status === "failed" ? methodOf(tasks, "getTaskResult") : undefined;
  if (result === undefined) throw error;
  return result(taskId, anything);
}

function cancel(tasks: object, taskId: string | undefined): void {
  if (taskId === undefined) return;
  const told: unknown = methodOf(tasks, "cancelTask")?.(taskId, { timeout: CANCEL_MS });
  // The task is given up either way; that the server could not be told changes nothing.
  Promise.resolve(told).catch(() => undefined);
}

/** Whether a descriptor says that the tool runs only as a task. */
export function isTaskRequired(execution: unknown): boolean {
  const { taskSupport }: JsonObject = isObject(execution) ? execution : {};
  return taskSupport === "required";
}
