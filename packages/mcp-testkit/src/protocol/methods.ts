import type { Occasion } from "../faults/fault-plan.ts";
import { type JsonObject, RpcError, type RpcRequest, rpcCode } from "../json-rpc.ts";
import {
  promptMessages,
  prompts,
  resourceContents,
  resources,
  resourceTemplates,
} from "./catalog.ts";
import type { Host, Offer } from "./host.ts";
import { listPage } from "./lists.ts";
import type { Session } from "./session.ts";
import { callTool, toolsOf } from "./tool-call.ts";
import { negotiate, protocolVersions } from "./versions.ts";

/** One request that is being performed. */
export interface Performance {
  readonly request: RpcRequest;
  readonly session: Session;
  readonly host: Host;
  readonly occasion: Occasion;
  readonly signal: AbortSignal;
  /** Name of the call in the journal; only a `tools/call` is journalled. */
  readonly call: string;
  /** Sends a message of ours to the client, in the course of this request. */
  send(message: JsonObject): Promise<void>;
}

type Method = (performance: Performance) => unknown;

const methods = new Map<string, Method>([
  ["initialize", initialize],
  ["ping", () => ({})],
  [
    "tools/list",
    (now) =>
      list(
        now,
        "tools",
        toolsOf(now.host).map(({ listed }) => listed),
      ),
  ],
  ["tools/call", callTool],
  ["resources/list", (now) => list(now, "resources", resources)],
  ["resources/templates/list", (now) => list(now, "resourceTemplates", resourceTemplates)],
  ["resources/read", readResource],
  ["prompts/list", (now) => list(now, "prompts", prompts)],
  ["prompts/get", getPrompt],
]);

const offers: readonly Offer[] = ["tools", "resources", "prompts"];

/**
 * Performs a request.
 * @returns its result
 * @throws RpcError for what the client is told as a JSON-RPC error
 */
export async function perform(performance: Performance): Promise<unknown> {
  const { request, session, host } = performance;
  const method = methods.get(request.method);
  const [section = ""] = request.method.split("/");
  const isHidden = offers.some((offer) => offer === section && !offered(host).includes(offer));
  if (method === undefined || isHidden) {
    throw new RpcError(rpcCode.methodNotFound, `Method not found: ${request.method}`);
  }
  if (session.protocolVersion === undefined && method !== initialize && section !== "ping") {
    throw new RpcError(rpcCode.invalidRequest, "Invalid Request: initialize comes first");
  }
  return await method(performance);
}

function offered({ service }: Host): readonly Offer[] {
  return service.offers ?? offers;
}

function initialize({ request, session, host }: Performance): JsonObject {
  if (session.protocolVersion !== undefined) {
    throw new RpcError(rpcCode.invalidRequest, "Invalid Request: already initialized");
  }
  const { protocolVersion, capabilities, clientInfo } = request.params;
  if (typeof protocolVersion !== "string" || !capabilities || !clientInfo) {
    const needed = "protocolVersion, capabilities and clientInfo";
    throw new RpcError(rpcCode.invalidParams, `Invalid params: initialize needs ${needed}`);
  }
  session.protocolVersion = negotiate(
    protocolVersion,
    host.service.protocolVersions ?? protocolVersions,
  );
  host.sessions.know(session);
  const { instructions } = host.service;
  const advertised = offered(host).map((offer) => [
    offer,
    offer === "tools" ? { listChanged: true } : {},
  ]);
  return {
    protocolVersion: session.protocolVersion,
    capabilities: Object.fromEntries(advertised),
    serverInfo: { name: "mcp-testkit", version: "1" },
    ...(instructions !== undefined && { instructions }),
  };
}

function list(
  { host, request, occasion }: Performance,
  key: string,
  items: readonly unknown[],
): JsonObject {
  const { pageSize = 100 } = host.service;
  return listPage({ key, items, pageSize }, request.params["cursor"], host.plan, occasion);
}

function readResource({ request }: Performance): JsonObject {
  const { uri } = request.params;
  if (typeof uri !== "string") {
    throw new RpcError(rpcCode.invalidParams, "Invalid params: uri is no string");
  }
  const contents = resourceContents(uri);
  if (contents === undefined) {
    throw new RpcError(rpcCode.resourceNotFound, "Resource not found", { uri });
  }
  return { contents };
}

function getPrompt({ request }: Performance): JsonObject {
  const { name, arguments: args = {} } = request.params;
  if (typeof name !== "string" || typeof args !== "object" || args === null) {
    throw new RpcError(rpcCode.invalidParams, "Invalid params: name or arguments");
  }
  const messages = promptMessages(name, { ...args });
  if (messages === undefined) {
    throw new RpcError(rpcCode.invalidParams, `Invalid params: unknown prompt ${name}`);
  }
  if (typeof messages === "string") {
    throw new RpcError(rpcCode.invalidParams, `Invalid params: ${messages}`);
  }
  return { messages };
}
