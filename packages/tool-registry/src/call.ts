import { copyData, isRecord, sameData } from "./data.ts";
import type { ToolHandlers } from "./definition.ts";
import { kindOf, messageOf, quoted } from "./message.ts";
import type { ToolMiddleware } from "./middleware.ts";
import {
  type Ran,
  type ToolErrorCode,
  type ToolFailureParts,
  type ToolIssue,
  type ToolResult,
  toolFailure,
} from "./result.ts";
import type { RegisteredTool, ToolCallContext, ToolValidation } from "./tool.ts";
import { isToolResult } from "./whole-result.ts";

/** A registration, which the registry changes under a call that is under way. */
export interface CallTarget {
  readonly tool: RegisteredTool;
  readonly handlers: ToolHandlers;
  readonly removed: boolean;
}

/** Validated arguments. `first` is the very object the validator saw; each later run gets a copy. */
interface CheckedArgs {
  readonly pristine: Record<string, unknown>;
  first: Record<string, unknown> | undefined;
}

type Checked = { readonly args: CheckedArgs } | { readonly failure: ToolResult };

/** Look up → validate → middleware → validate again what was changed → invoke. Never rejects. */
export function callTool<Context extends ToolCallContext>(
  target: CallTarget,
  middleware: readonly ToolMiddleware<Context>[],
  args: unknown,
  context: unknown,
): Promise<ToolResult> {
  return new Call<Context>(target, middleware).start(args, context);
}

function removedMessage({ id }: RegisteredTool): string {
  return `no longer available: the tool ${quoted(id)} was removed`;
}

function contextProblem(context: unknown): string | undefined {
  if (context === undefined) return undefined;
  if (typeof context !== "object" || context === null) {
    return `the context must be an object such as { timeoutMs: 5000 }, got ${kindOf(context)}`;
  }
  const timeoutMs = "timeoutMs" in context ? context.timeoutMs : undefined;
  if (timeoutMs === undefined || (typeof timeoutMs === "number" && timeoutMs > 0)) return undefined;
  return "timeoutMs must be a positive number of milliseconds";
}

class Call<Context extends ToolCallContext> {
  readonly #startedAt = performance.now();
  readonly #target: CallTarget;
  readonly #tool: RegisteredTool;
  readonly #middleware: readonly ToolMiddleware<Context>[];
  #context: Context = {} as Context;
  #ran: Ran = "no";

  constructor(target: CallTarget, middleware: readonly ToolMiddleware<Context>[]) {
    this.#target = target;
    this.#tool = target.tool;
    this.#middleware = middleware;
  }

  async start(args: unknown, context: unknown): Promise<ToolResult> {
    const problem = contextProblem(context);
    if (problem !== undefined) {
      return this.#failure("validation", `validation failed: ${problem}`);
    }
    this.#context = { ...(context as Context), capability: this.#tool.capability };
    const refusal = this.#refusal();
    if (refusal !== undefined) return refusal;
    const checked = await this.#check(args === undefined ? {} : args);
    return "failure" in checked ? checked.failure : this.#layer(0, checked.args);
  }

  async #check(given: unknown): Promise<Checked> {
    let args: unknown;
    try {
      args = copyData(given);
    } catch (error) {
      return this.#invalid([{ message: `the arguments cannot be read: ${messageOf(error)}` }]);
    }
    if (!isRecord(args)) {
      return this.#invalid([{ message: `the arguments must be an object, got ${kindOf(given)}` }]);
    }
    const checked = {
      pristine: this.#middleware.length === 0 ? args : copyData(args),
      first: args,
    };
    const wrong = await this.#validate(args);
    return wrong === undefined ? { args: checked } : this.#invalid(wrong.issues, wrong.errorCode);
  }

  /** What is wrong, `undefined` if nothing is. */
  async #validate(
    args: Record<string, unknown>,
  ): Promise<Extract<ToolValidation, { ok: false }> | undefined> {
    const { validate } = this.#target.handlers;
    if (validate === undefined) return undefined;
    try {
      const verdict: ToolValidation = await validate(args);
      if (verdict.ok === true) return undefined;
      const { issues, errorCode } = verdict;
      return { ok: false, issues: issues.map(readIssue), ...(errorCode && { errorCode }) };
    } catch (error) {
      const message = `the validator failed: ${messageOf(error)}`;
      return { ok: false, issues: [{ message }], errorCode: "schema" };
    }
  }

  #invalid(
    issues: readonly ToolIssue[],
    given: "validation" | "schema" | "too_large" = "validation",
  ): Checked {
    const code = given === "schema" || given === "too_large" ? given : "validation";
    const start = code === "too_large" ? "too large" : "validation failed";
    const list = issues.map(describeIssue).join("; ");
    const message = `${start} for ${quoted(this.#tool.name)}${list === "" ? "" : `: ${list}`}`;
    return { failure: this.#failure(code, message, { issues }) };
  }

  async #layer(index: number, checked: CheckedArgs): Promise<ToolResult> {
    const middleware = this.#middleware[index];
    if (middleware === undefined) return this.#invoke(checked);
    const args = copyData(checked.pristine);
    const next = async (changed: Record<string, unknown> = args): Promise<ToolResult> => {
      if (isSame(changed, checked.pristine)) return this.#layer(index + 1, checked);
      const again = await this.#check(changed);
      return "failure" in again ? again.failure : this.#layer(index + 1, again.args);
    };
    try {
      const result = await middleware({ tool: this.#tool, args, context: this.#context }, next);
      return this.#whole(result, "a middleware");
    } catch (error) {
      const message = `a middleware failed: ${messageOf(error)}`;
      return this.#failure("tool_error", message, { ran: this.#ran });
    }
  }

  async #invoke(checked: CheckedArgs): Promise<ToolResult> {
    const refusal = this.#refusal();
    if (refusal !== undefined) return refusal;
    const args = checked.first ?? copyData(checked.pristine);
    checked.first = undefined;
    const ranBefore = this.#ran;
    if (ranBefore === "no") this.#ran = "unknown";
    const result = await this.#run(args);
    const ran = result.success ? "yes" : result.ran;
    if (ran === "yes") this.#ran = "yes";
    else if (ran === "no" && ranBefore === "no") this.#ran = "no";
    return result;
  }

  async #run(args: Record<string, unknown>): Promise<ToolResult> {
    try {
      const result = await this.#target.handlers.invoke(args, this.#context);
      return this.#whole(result, "the tool", "yes");
    } catch (error) {
      if (this.#context.signal?.aborted) return this.#cancelled("unknown");
      const message = messageOf(error) || `the tool ${quoted(this.#tool.id)} failed`;
      return this.#failure("tool_error", message, { ran: "yes" });
    }
  }

  /** What forbids the call, now or after a middleware has waited. */
  #refusal(): ToolResult | undefined {
    if (this.#context.signal?.aborted) return this.#cancelled();
    if (this.#target.removed) {
      return this.#failure("no_longer_available", removedMessage(this.#tool));
    }
    if (this.#target.tool === this.#tool) return undefined;
    const message = `no longer available: the tool ${quoted(this.#tool.id)} changed while the call waited; nothing was run, call it again`;
    return this.#failure("no_longer_available", message);
  }

  /** A malformed result is a failure, but what came stays reachable. */
  #whole(result: unknown, giver: string, ran: Ran = this.#ran): ToolResult {
    if (isToolResult(result)) return result;
    const message = `${giver} returned ${kindOf(result)} that is no ToolResult`;
    return this.#failure("tool_error", message, { ran, structuredContent: result });
  }

  #cancelled(ran: "no" | "unknown" = "no"): ToolResult {
    return this.#failure("cancelled", "cancelled by the caller", { ran });
  }

  #failure(code: ToolErrorCode, message: string, parts: ToolFailureParts = {}): ToolResult {
    return toolFailure(code, message, {
      ...parts,
      durationMs: performance.now() - this.#startedAt,
    });
  }
}

function isSame(changed: unknown, pristine: Record<string, unknown>): boolean {
  try {
    return sameData(changed, pristine);
  } catch {
    return false;
  }
}

/** An issue is passed on as it is, unless it is none. */
function readIssue(issue: ToolIssue): ToolIssue {
  const { message, path } = issue;
  const isPath = path === undefined || typeof path === "string" || Array.isArray(path);
  return typeof message === "string" && isPath ? issue : { message: String(message) };
}

function describeIssue({ message, path }: ToolIssue): string {
  const place = typeof path === "string" ? path : path?.map(String).join(".");
  return place ? `${place}: ${message}` : message;
}
