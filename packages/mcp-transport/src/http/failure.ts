import { tooNew } from "../engine/answer.ts";
import { isObject } from "../engine/handshake.ts";
import { type Delivery, MCPTransportError } from "../errors.ts";
import { blockedCode } from "./address-policy.ts";
import { readSome } from "./body.ts";

const shownBytes = 8 * 1024;
const waitMs = 1_000;
const unsupportedProtocolVersion = -32022;

/** Before any byte of the request can have left. */
const beforeSending = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "UND_ERR_CONNECT_TIMEOUT"];

/** Why no response came. */
export function networkFailure(
  label: string,
  error: unknown,
  redact: (text: string) => string,
): MCPTransportError {
  const system = systemCode(error);
  if (system === blockedCode) {
    return new MCPTransportError("blocked", `${label}: ${innermost(error)}`, {
      delivery: "not_sent",
      cause: error,
    });
  }
  const code = system === "ECONNREFUSED" ? "refused" : "network";
  const what = code === "refused" ? "nothing listens there" : "the network failed";
  const why = system ?? redact(innermost(error)).slice(0, 200);
  const delivery: Delivery =
    system !== undefined && beforeSending.includes(system) ? "not_sent" : "unknown";
  return new MCPTransportError(code, `${label}: ${what} (${why})`, {
    delivery,
    cause: error,
  });
}

function systemCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return undefined;
}

function innermost(error: unknown): string {
  let inner = error;
  while (inner instanceof Error && inner.cause instanceof Error) inner = inner.cause;
  return inner instanceof Error ? inner.message : "unknown reason";
}

export interface Refusal {
  readonly label: string;
  /** Whether the request bore the id of a session. */
  readonly session: boolean;
  redact(text: string): string;
}

/** What a status beyond 2xx says. The body is read as far as it is worth it. */
export async function refusal(response: Response, about: Refusal): Promise<MCPTransportError> {
  const { status } = response;
  const body = await readSome(response.body, shownBytes, waitMs);
  const rpc = rpcError(body);
  const said = about.redact(rpc?.message ?? excerpt(body, response.headers.get("content-type")));
  const message = `${about.label}: HTTP ${status}${said && `: ${said}`}`;
  const details = {
    httpStatus: status,
    delivery: "unknown" as Delivery,
    ...(rpc?.code !== undefined && { rpcCode: rpc.code }),
    ...(rpc?.message !== undefined && { rpcMessage: said }),
    ...(rpc?.data !== undefined && { rpcData: rpc.data }),
  };
  if (rpc?.code === unsupportedProtocolVersion) {
    return new MCPTransportError("unsupported", `${message}; ${tooNew}`, details);
  }
  if (status === 401 || status === 403) {
    return new MCPTransportError("unauthorized", message, details);
  }
  if (status === 404 && about.session) {
    const lost = `${message}; the server no longer knows the session`;
    return new MCPTransportError("session_lost", lost, { ...details, delivery: "refused" });
  }
  return new MCPTransportError("http", message, details);
}

export function rpcError(
  body: string,
): { code?: number; message?: string; data?: unknown } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return undefined;
  }
  const error = isObject(parsed) ? parsed["error"] : undefined;
  if (!isObject(error)) return undefined;
  const { code, message, data } = error;
  return {
    ...(typeof code === "number" && { code }),
    ...(typeof message === "string" && { message }),
    ...(data !== undefined && { data }),
  };
}

function excerpt(body: string, contentType: string | null): string {
  if (contentType?.includes("html")) return "an HTML page";
  return body.replace(/\s+/g, " ").trim().slice(0, 300);
}
