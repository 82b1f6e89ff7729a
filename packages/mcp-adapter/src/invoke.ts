import { errorText, readCallResult } from "@x/mcp-parse";
import type { MCPConnection, MCPTransportError, Progress, RequestOptions } from "@x/mcp-transport";
import { type ArgumentLimits, type ArgumentsReading, readArguments } from "./arguments.ts";
import { callFailure } from "./call-failure.ts";
import type { Catalog } from "./catalog.ts";
import { type Clock, startClock } from "./clock.ts";
import type { Emit } from "./event.ts";
import type { Gate } from "./gate.ts";
import type { Link } from "./link.ts";
import type { ToolCapability, ValidationIssue } from "./ports.ts";
import type { Recovery } from "./recovery.ts";
import { type ReplayPolicy, replayReason } from "./replay.ts";
import { type Failure, failed, type MCPToolResult, type ResultWarning } from "./result.ts";
import { cutText } from "./result-budget.ts";
import { callAsTask, runsTasks } from "./task.ts";
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
  readonly link: Pick<Link, "check">;
  readonly catalog: Catalog;
  readonly emit: Emit;
  readonly gate: Gate | undefined;
  readonly recovery: Recovery;
  readonly replay: ReplayPolicy;
  readonly argumentLimits: ArgumentLimits;
  readonly maxResultBytes: number | undefined;
  readonly timeoutMs: number;
  readonly idleTimeoutMs: number;
  /** Reads the list unless it has been read on that connection. */
  discover(connection: MCPConnection): Promise<void>;
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
  site.link.check();
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
  const call = {
    callId,
    name,
    args: readArguments(args === undefined ? {} : args, site.argumentLimits),
    request,
  };
  const result = await settle(site, { ...call, capability: options.capability }, clock, startedAt);
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
  site: Pick<CallSite, "catalog">,
  tool: CatalogTool,
  read: ArgumentsReading,
): { ok: true; args: Record<string, unknown> } | { ok: false; failure: Failure } {
  if (!read.ok) {
    return read.errorCode === "too_large"
      ? { ok: false, failure: { errorCode: "too_large", error: read.message, ran: "no" } }
      : { ok: false, failure: invalid([read.issue]) };
  }
  const verdict = checkInput(tool, read.args);
  if (verdict.ok) return read;
  if ("issues" in verdict) return { ok: false, failure: invalid(verdict.issues) };
  if ("unjudged" in verdict) {
    const error = `validation is not possible: ${verdict.unjudged}`;
    return { ok: false, failure: { errorCode: "schema", error, ran: "no" } };
  }
  const { broken } = verdict;
  site.catalog.setAside({ ...broken, name: tool.descriptor.name });
  return { ok: false, failure: unusable(tool.descriptor.name, broken.message) };
}

interface Call {
  readonly callId: number;
  readonly name: string;
  readonly args: ArgumentsReading;
  readonly request: RequestOptions;
  readonly capability: ToolCapability | undefined;
}

async function settle(
  site: CallSite,
  call: Call,
  clock: Clock,
  startedAt: number,
): Promise<MCPToolResult> {
  let sent: CatalogTool | undefined;
  let mayHaveRun = false;
  const mayRepeat = (error: MCPTransportError): boolean => {
    if (sent === undefined) return true;
    const capability = call.capability ?? sent.capability;
    const because = replayPermission(site, error, call.name, capability);
    if (because === undefined) return false;
    if (because === "policy") mayHaveRun = true;
    const { callId, name } = call;
    site.emit({ type: "invoke.replay", callId, tool: name, because });
    return true;
  };
  try {
    const result = await site.recovery.run(
      clock,
      async (connection) => {
        sent = undefined;
        await clock.race(site.discover(connection));
        const tool = findTool(site, call.name, connection);
        if ("errorCode" in tool) return failed(tool, startedAt);
        const checked = checkArguments(site, tool, call.args);
        if (!checked.ok) return failed(checked.failure, startedAt);
        const leave = await site.gate?.enter(clock.signal);
        if (site.gate && !leave) return failed(overloaded(site.server), startedAt);
        try {
          // A call that waited for its turn while the adapter was disconnected is not sent.
          site.link.check();
          sent = tool;
          const timeoutMs = clock.remainingMs();
          const request = { ...call.request, timeoutMs };
          const params = { name: call.name, arguments: checked.args };
          const answer = needsTask(tool)
            ? await callAsTask(connection, params, request, clock)
            : await connection.callTool(params.name, params.arguments, request);
          return readAnswer(site, tool, answer, startedAt);
        } finally {
          leave?.();
        }
      },
      mayRepeat,
    );
    return mayHaveRun ? afterUnknown(result) : result;
  } catch (error) {
    const result = failed(callFailure(error, sent ? "calling" : "waiting"), startedAt);
    return mayHaveRun ? afterUnknown(result) : result;
  }
}

/** A policy that throws allows nothing, and hides nothing of what became of the call. */
function replayPermission(
  site: CallSite,
  error: MCPTransportError,
  tool: string,
  capability: ToolCapability,
): ReturnType<typeof replayReason> {
  try {
    return replayReason(site.replay, error, tool, capability);
  } catch (cause) {
    site.emit({ type: "diagnostic", message: "the replay policy threw", error: cause });
    return undefined;
  }
}

/** A failure of the second sending, when the first may have run the tool. */
function afterUnknown(result: MCPToolResult): MCPToolResult {
  if (result.success || result.ran !== "no") return result;
  const { errorCode, error } = result;
  const ownCode = errorCode === "timeout" || errorCode === "cancelled";
  return {
    ...result,
    ran: "unknown",
    errorCode: ownCode ? errorCode : "outcome_unknown",
    error: `outcome unknown: the connection was lost after the call was sent, and then: ${error}`,
  };
}

function needsTask({ descriptor }: CatalogTool): boolean {
  return descriptor.execution?.["taskSupport"] === "required";
}

function findTool(site: CallSite, name: string, connection: MCPConnection): CatalogTool | Failure {
  const lookup = site.catalog.lookup(name);
  switch (lookup.found) {
    case "tool": {
      if (!needsTask(lookup.tool) || runsTasks(connection)) return lookup.tool;
      return {
        errorCode: "unsupported",
        error: `tool "${name}" runs only as a task, and server "${site.server}" offers none in protocol ${connection.info.protocolVersion}`,
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
