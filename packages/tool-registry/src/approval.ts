import { runUntil } from "./abort.ts";
import type { ToolCapability } from "./capability.ts";
import { copyData, freezeData } from "./data.ts";
import { ToolRegistryError } from "./errors.ts";
import { type ToolFilter, toPredicate } from "./filter.ts";
import { kindOf, messageOf, quoted } from "./message.ts";
import type { ToolMiddleware } from "./middleware.ts";
import { type ToolFailure, toolFailure } from "./result.ts";
import type { RegisteredTool, ToolCallContext } from "./tool.ts";

export interface ApprovalRequest {
  readonly tool: RegisteredTool;
  /** A frozen copy of the validated arguments. */
  readonly args: Readonly<Record<string, unknown>>;
  /** What the tool may do, after overrides. */
  readonly capability: ToolCapability;
  /** Aborts when the caller gives up; the question is moot then. */
  readonly signal: AbortSignal;
}

/** Only `true`, or an object whose `approved` is `true`, is a yes. */
export type Approval = boolean | { readonly approved: boolean; readonly reason?: string };

export interface ApprovalOptions {
  /**
   * The calls that nobody is asked about. Of a function only `true` counts.
   *
   * @defaultValue `{ effect: "read" }`
   */
  readonly unless?: ToolFilter | ((tool: RegisteredTool, args: ApprovalRequest["args"]) => boolean);
}

/**
 * Asks before a call is made. A no is `denied`, and so is an `ask` that throws; a caller who gives
 * up meanwhile gets `cancelled`; the tool runs in neither case. Nobody is asked about arguments that
 * do not fit. Middleware used after this one may still change the arguments, so use it last.
 *
 * @throws ToolRegistryError `invalid_spec` if `ask` is no function or `unless` is not understood
 */
export function requireApproval(
  ask: (request: ApprovalRequest) => Approval | Promise<Approval>,
  { unless = { effect: "read" } }: ApprovalOptions = {},
): ToolMiddleware<ToolCallContext> {
  if (typeof ask !== "function") {
    const message = `ask must be a function, got ${kindOf(ask)}`;
    throw new ToolRegistryError("invalid_spec", message, { field: "ask" });
  }
  const exempt = typeof unless === "function" ? unless : toPredicate(unless);
  return async ({ tool, args, context }, next) => {
    const shown = freezeData(copyData(args));
    if (exempt(tool, shown) === true) return next();
    const startedAt = performance.now();
    const refuse = (code: "cancelled" | "denied", message: string): ToolFailure =>
      toolFailure(code, `${code}: ${message}`, { durationMs: performance.now() - startedAt });
    const { capability } = tool;
    const outcome = await runUntil((signal) => ask({ tool, args: shown, capability, signal }), {
      signal: context.signal,
    });
    if (context.signal?.aborted || outcome.end === "cancelled") {
      return refuse("cancelled", "the caller gave up while the approval was pending");
    }
    if (outcome.end === "value") {
      const { approved, reason } = readApproval(outcome.value);
      if (approved) return next();
      return refuse(
        "denied",
        withReason(`the call of ${quoted(tool.id)} was not approved`, reason),
      );
    }
    const cause = outcome.end === "thrown" ? messageOf(outcome.error) : "";
    return refuse("denied", withReason(`no approval could be had for ${quoted(tool.id)}`, cause));
  };
}

function readApproval(answer: unknown): { approved: boolean; reason: string } {
  if (typeof answer !== "object" || answer === null)
    return { approved: answer === true, reason: "" };
  const approved = "approved" in answer && answer.approved === true;
  const reason = "reason" in answer && typeof answer.reason === "string" ? answer.reason : "";
  return { approved, reason };
}

function withReason(message: string, reason: string): string {
  return reason === "" ? message : `${message}: ${reason}`;
}
