import { abortable } from "./abort.ts";
import { type ClientKind, kindOf, styleOf } from "./call-style.ts";
import { arityOf, type Method, methodOf, requiredMethod } from "./client-method.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { CallStyle } from "./kit.ts";
import type { CallParams } from "./ports.ts";
import { anything, bareRequest, recorder } from "./sdk-request.ts";
import { callAsTask, noTasks } from "./task.ts";

export type ListKind = "tools" | "prompts" | "resources";

/** The tool that a call is for. */
export interface CallTarget {
  readonly name: string;
  readonly inputSchema?: Readonly<JsonObject>;
  /** The tool runs only as a task. */
  readonly isTask?: boolean;
}

/** What a facade of `toClientFacade` takes as the third argument of `callTool`. */
export interface FacadeCallOptions {
  readonly signal?: AbortSignal;
  /** What is known of the tool; without it the tool is taken for one that runs at once. */
  readonly target?: CallTarget;
}

/** The client, each method one request, in the client's own way of taking arguments. */
export interface Calls {
  /** What the server says it has; undefined if the client does not tell. */
  capabilities(): JsonObject | undefined;
  list(kind: ListKind, cursor?: string, signal?: AbortSignal): Promise<unknown>;
  callTool(target: CallTarget, args: JsonObject, signal?: AbortSignal): Promise<unknown>;
  readResource(uri: string, signal?: AbortSignal): Promise<unknown>;
  getPrompt(name: string, args: Record<string, string>, signal?: AbortSignal): Promise<unknown>;
}

const lists: Readonly<Record<ListKind, string>> = {
  tools: "listTools",
  prompts: "listPrompts",
  resources: "listResources",
};

export function callsOf(client: object, callStyle?: CallStyle): Calls {
  const kind = kindOf(client);
  const ask = (name: string, method: string, params: object | undefined, signal?: AbortSignal) =>
    abortable(signal, async (own) => {
      const options = isOptioned(kind) ? optionsOf(own) : [];
      const request = kind.startsWith("sdk") ? bareRequest(client, name) : undefined;
      return request === undefined
        ? requiredMethod(client, name, "the client")(params, ...options)
        : request({ method, ...(params && { params }) }, anything, ...options);
    });
  return {
    capabilities() {
      const said: unknown = methodOf(client, "getServerCapabilities")?.();
      return isObject(said) ? said : undefined;
    },
    list: (of, cursor, signal) =>
      ask(lists[of], `${of}/list`, cursor === undefined ? undefined : { cursor }, signal),
    callTool: (target, args, signal) =>
      abortable(signal, async (own) => callTool({ client, kind, callStyle }, target, args, own)),
    readResource: (uri, signal) =>
      styleOf(client, "readResource", callStyle) === "object"
        ? ask("readResource", "resources/read", { uri }, signal)
        : abortable(signal, async (own) =>
            requiredMethod(
              client,
              "readResource",
              "the client",
            )(uri, ...(kind === "facade" ? optionsOf(own) : [])),
          ),
    getPrompt: (name, args, signal) =>
      styleOf(client, "getPrompt", callStyle) === "object"
        ? ask("getPrompt", "prompts/get", { name, arguments: args }, signal)
        : abortable(signal, async (own) =>
            requiredMethod(client, "getPrompt", "the client")(
              name,
              args,
              ...(kind === "facade" ? optionsOf(own) : []),
            ),
          ),
  };
}

/** Whether the second argument of lists and reads is known to be options. */
function isOptioned(kind: ClientKind): boolean {
  return kind !== "foreign";
}

function optionsOf(signal: AbortSignal | undefined): readonly object[] {
  return signal === undefined ? [] : [{ signal }];
}

interface Site {
  readonly client: object;
  readonly kind: ClientKind;
  readonly callStyle: CallStyle | undefined;
}

async function callTool(
  { client, kind, callStyle }: Site,
  target: CallTarget,
  args: JsonObject,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const method = requiredMethod(client, "callTool", "the client");
  const params = { name: target.name, arguments: args };
  if (styleOf(client, "callTool", callStyle) === "positional") {
    return callPositional({ client, kind, method }, target, args, signal);
  }
  const isForeign = kind === "foreign" || kind === "facade";
  if (target.isTask && kind === "sdk1") return callAsTask(client, params, signal);
  if (target.isTask && kind !== "like2") {
    throw noTasks(target.name, isForeign ? "this client runs none" : "SDK v2 has no tasks");
  }
  if (isForeign) return method(params);
  if (kind === "sdk1") return callSdk1(client, method, params, signal);
  return callSdk2({ client, kind, method }, target, params, signal);
}

interface Callee {
  readonly client: object;
  readonly kind: ClientKind;
  readonly method: Method;
}

async function callPositional(
  { client, kind, method }: Callee,
  target: CallTarget,
  args: JsonObject,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (kind === "facade") {
    const options: FacadeCallOptions = { ...(signal && { signal }), target };
    return method(target.name, args, options);
  }
  if (target.isTask) throw noTasks(target.name, "this client runs none");
  const options = arityOf(client, "callTool") >= 3 ? optionsOf(signal) : [];
  return method(target.name, args, ...options);
}

/** The options are the third argument. */
async function callSdk1(
  client: object,
  method: Method,
  params: CallParams,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  const request = bareRequest(client, "callTool");
  if (request) {
    return request({ method: "tools/call", params }, anything, ...optionsOf(signal));
  }
  const { schema, seen } = recorder();
  try {
    return await method(params, schema, ...optionsOf(signal));
  } catch (error) {
    const answer = seen();
    if (answer === undefined) throw error;
    return answer.value;
  }
}

/** The options are the second argument. */
async function callSdk2(
  { client, kind, method }: Callee,
  { name, inputSchema }: CallTarget,
  params: CallParams,
  signal: AbortSignal | undefined,
): Promise<unknown> {
  if (kind === "like2") return method(params, ...optionsOf(signal));
  const request = mirrorsHeaders(client, inputSchema) ? undefined : bareRequest(client, "callTool");
  if (request) {
    return request({ method: "tools/call", params }, anything, ...optionsOf(signal));
  }
  // Which arguments go into headers is then known to the SDK alone.
  if (inputSchema === undefined && isModern(client)) return method(params, ...optionsOf(signal));
  // A definition without an output schema keeps the SDK from judging the answer by one.
  const toolDefinition = { name, inputSchema: inputSchema ?? { type: "object" } };
  return method(params, { ...(signal && { signal }), toolDefinition });
}

/** Arguments that MCP 2026-07-28 wants in headers too are put there by `callTool` alone. */
function mirrorsHeaders(client: object, inputSchema: Readonly<JsonObject> | undefined): boolean {
  return (
    isModern(client) &&
    (inputSchema === undefined || JSON.stringify(inputSchema).includes('"x-mcp-header"'))
  );
}

function isModern(client: object): boolean {
  return methodOf(client, "getProtocolEra")?.() === "modern";
}
