import { errorText, readCallResult } from "@x/mcp-parse";
import type { MCPConnection, Progress, RequestOptions } from "@x/mcp-transport";
import { type ArgumentLimits, readArguments } from "./arguments.ts";
import { callFailure } from "./call-failure.ts";
import type { Catalog } from "./catalog.ts";
import { type Clock, startClock } from "./clock.ts";
import type { Emit } from "./event.ts";
import type { Gate } from "./gate.ts";
import type { ToolCapability, ValidationIssue } from "./ports.ts";
import { type Failure, failed, type MCPToolResult, type ResultWarning } from "./result.ts";
import { cutText } from "./result-budget.ts";
import { readTimeout } from "./timeout.ts";
import { type CatalogTool, checkInput, outputMismatch } from "./tool-check.ts";

export interface InvokeOptions {
  /** The whole time: queue, discovery on demand and the call. @defaultValue `requestTimeoutMs` of the config */
  readonly timeoutMs?: number | undefined;
  /**
   * The time that may pass without progress from the server.
   * @defaultValue `idleTimeoutMs` of the config, or none if `timeoutMs` is given here
   */
  readonly idleTimeoutMs?: number | undefined;
  /** Ends the call with `cancelled`; the server is told. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** What the caller's own overrides say of the tool. */
  readonly capability?: ToolCapability | undefined;
}

/** What a call needs of its adapter. */
export interface CallSite {
  readonly server: string;
  readonly catalog: Catalog;
  readonly emit: Emit;
  readonly gate: Gate | undefined;
  readonly argumentLimits: ArgumentLimits;
  readonly maxResultBytes: number | undefined;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  /** The live connection. @throws MCPNotConnectedError */
  connection(): MCPConnection;
  /** Reads the list unless it has been read on the live connection. */
  discover(): Promise<void>;
}

let calls = 0;

/** @throws MCPNotConnectedError; everything else is in the result */
export async function invokeTool(
  site: CallSite,
  name: string,
  args: unknown,
  options: InvokeOptions,
): Promise<MCPToolResult> {
  const timeoutMs = readTimeout(options.timeoutMs, "timeoutMs");
  const idleTimeoutMs =
    readTimeout(options.idleTimeoutMs, "idleTimeoutMs") ??
    (timeoutMs === undefined ? site.idleTimeoutMs : undefined);
  site.connection();
  const startedAt = performance.now();
  calls += 1;
  const callId = calls;
  site.emit({ type: "invoke.start", callId, tool: name });
  const clock = startClock(timeoutMs ?? site.timeoutMs, options.signal);
  const request: RequestOptions = {
    ...(idleTimeoutMs !== undefined && { idleTimeoutMs }),
    ...(options.signal && { signal: options.signal }),
    ...(options.onProgress && { onProgress: options.onProgress }),
  };
  const result = await settle(site, name, args, request, clock, startedAt);
  clock.stop();
  site.emit({
    type: "invoke.end",
    callId,
    tool: name,
    durationMs: result.durationMs,
    errorCode: result.errorCode,
    ran: result.success ? "yes" : result.ran,
  });
  return result;
}

/** What can be said of the arguments before anything is sent. */
export function checkArguments(
  site: Pick<CallSite, "catalog" | "argumentLimits">,
  tool: CatalogTool,
  args: unknown,
): { ok: true; args: Record<string, unknown> } | { ok: false; failure: Failure } {
  const read = readArguments(args, site.argumentLimits);
  if (!read.ok) {
    return read.errorCode === "too_large"
      ? { ok: false, failure: { errorCode: "too_large", error: read.message, ran: "no" } }
      : { ok: false, failure: invalid([read.issue]) };
  }
  const verdict = checkInput(tool, read.args);
  if (verdict.ok) return read;
  if ("issues" in verdict) return { ok: false, failure: invalid(verdict.issues) };
  const { broken } = verdict;
  site.catalog.setAside({ ...broken, name: tool.descriptor.name });
  return { ok: false, failure: unusable(tool.descriptor.name, broken.message) };
}

async function settle(
  site: CallSite,
  name: string,
  args: unknown,
  request: RequestOptions,
  clock: Clock,
  startedAt: number,
): Promise<MCPToolResult> {
  let leave: (() => void) | undefined;
  let phase: "waiting" | "calling" = "waiting";
  try {
    await clock.race(site.discover());
    const tool = findTool(site, name);
    if ("errorCode" in tool) return failed(tool, startedAt);
    const checked = checkArguments(site, tool, args ?? {});
    if (!checked.ok) return failed(checked.failure, startedAt);
    if (site.gate) {
      leave = await site.gate.enter(clock.signal);
      if (!leave) return failed(overloaded(site.server), startedAt);
    }
    const connection = site.connection();
    phase = "calling";
    const answer = await connection.callTool(name, checked.args, {
      ...request,
      timeoutMs: clock.remainingMs(),
    });
    return readAnswer(site, tool, answer, startedAt);
  } catch (error) {
    return failed(callFailure(error, phase), startedAt);
  } finally {
    leave?.();
  }
}

function findTool(site: CallSite, name: string): CatalogTool | Failure {
  const lookup = site.catalog.lookup(name);
  switch (lookup.found) {
    case "tool": {
      if (lookup.tool.descriptor.execution?.["taskSupport"] !== "required") return lookup.tool;
      return {
        errorCode: "unsupported",
        error: `tool "${name}" runs only as a task, which this adapter does not do`,
        ran: "no",
      };
    }
    case "quarantined":
      return unusable(name, lookup.quarantined.message);
    default:
      return {
        errorCode: "not_found",
        error: `tool "${name}" not found on server "${site.server}"`,
        ran: "no",
      };
  }
}

function readAnswer(
  site: CallSite,
  tool: CatalogTool,
  answer: unknown,
  startedAt: number,
): MCPToolResult {
  const read = readCallResult(answer);
  const warnings: ResultWarning[] = [...read.warnings];
  const content = cutText(read.content, site.maxResultBytes, warnings);
  const base = {
    data: read.raw,
    content,
    warnings,
    ...(read.structuredContent !== undefined && { structuredContent: read.structuredContent }),
  };
  if (read.isError) {
    const text = errorText(read);
    return {
      ...base,
      success: false,
      error: `server error: ${text || `tool "${tool.descriptor.name}" failed and gave no reason`}`,
      errorCode: "server_error",
      ran: "yes",
      durationMs: performance.now() - startedAt,
    };
  }
  const mismatch = outputMismatch(tool, read.structuredContent);
  if (mismatch !== undefined) warnings.push({ code: "output_schema", message: mismatch });
  return {
    ...base,
    success: true,
    error: null,
    errorCode: null,
    durationMs: performance.now() - startedAt,
  };
}

function invalid(issues: readonly ValidationIssue[]): Failure {
  const text = issues.map(({ message }) => message).join("; ");
  return { errorCode: "validation", error: `validation failed: ${text}`, ran: "no", issues };
}

function unusable(name: string, reason: string): Failure {
  return {
    errorCode: "schema",
    error: `validation is not possible: tool "${name}" is set aside, ${reason}`,
    ran: "no",
  };
}

function overloaded(server: string): Failure {
  return {
    errorCode: "overloaded",
    error: `the queue of server "${server}" is full`,
    ran: "no",
  };
}
