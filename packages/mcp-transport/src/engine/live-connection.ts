import type {
  ConnectionInfo,
  JsonObject,
  ListKind,
  MCPConnection,
  Page,
  RequestOptions,
} from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import { readPage } from "./answer.ts";
import type { EngineClient } from "./engine.ts";
import type { EngineWire } from "./engine-wire.ts";
import { Listener } from "./listener.ts";
import { ParamHeaders } from "./param-headers.ts";
import type { Session } from "./session.ts";

/** How long a server that keeps its event stream back is waited for. */
const listeningMs = 1_000;

/** The headers of a request do not fit its body; the protocol's own code since 2026-07-28. */
const headerMismatch = -32020;
/** How far a list is walked for the sake of one call. */
const mostPages = 100;

export class LiveConnection implements MCPConnection {
  readonly info: ConnectionInfo;
  readonly #client: EngineClient;
  readonly #session: Session;
  readonly #wire: EngineWire;
  /** Only for a modern server, which says what changed if it is asked to. */
  readonly #listener: Listener | undefined;
  /** Only for a modern server over HTTP. */
  readonly #paramHeaders: ParamHeaders | undefined;

  constructor(info: ConnectionInfo, client: EngineClient, session: Session, wire: EngineWire) {
    this.info = info;
    this.#client = client;
    this.#session = session;
    this.#wire = wire;
    if (info.era !== "modern") return;
    this.#listener = new Listener(info, client, session);
    if (wire.streamPerRequest) this.#paramHeaders = new ParamHeaders();
  }

  request(
    method: string,
    params: JsonObject = {},
    options: RequestOptions = {},
  ): Promise<JsonObject> {
    const paramHeaders = this.#paramHeaders;
    return method === "tools/call" && paramHeaders !== undefined
      ? this.#callWithHeaders(paramHeaders, params, options)
      : this.#session.request(this.#client, method, params, options);
  }

  callTool(name: string, args: JsonObject, options?: RequestOptions): Promise<JsonObject> {
    return this.request("tools/call", { name, arguments: args ?? {} }, options);
  }

  readResource(uri: string, options?: RequestOptions): Promise<JsonObject> {
    return this.request("resources/read", { uri }, options);
  }

  getPrompt(
    name: string,
    args?: Record<string, string>,
    options?: RequestOptions,
  ): Promise<JsonObject> {
    return this.request("prompts/get", { name, ...(args && { arguments: args }) }, options);
  }

  listTools(cursor?: string, options?: RequestOptions): Promise<Page> {
    return this.#page("tools/list", "tools", cursor, options);
  }

  listResources(cursor?: string, options?: RequestOptions): Promise<Page> {
    return this.#page("resources/list", "resources", cursor, options);
  }

  listResourceTemplates(cursor?: string, options?: RequestOptions): Promise<Page> {
    return this.#page("resources/templates/list", "resourceTemplates", cursor, options);
  }

  listPrompts(cursor?: string, options?: RequestOptions): Promise<Page> {
    return this.#page("prompts/list", "prompts", cursor, options);
  }

  async onListChanged(kind: ListKind, callback: () => void): Promise<() => void> {
    const stop = this.#session.onListChanged(kind, callback);
    if (this.#listener !== undefined) {
      const unlisten = await this.#listener.listen(kind);
      return () => {
        stop();
        unlisten();
      };
    }
    await within(listeningMs, this.#wire.listening?.());
    return stop;
  }

  onClose(callback: (reason?: MCPTransportError) => void): () => void {
    return this.#session.onClose(callback);
  }

  onDiagnostic(callback: (error: Error) => void): () => void {
    return this.#session.onDiagnostic(callback);
  }

  close(): Promise<void> {
    this.#session.end();
    return this.#wire.close("graceful");
  }

  async #callWithHeaders(
    paramHeaders: ParamHeaders,
    params: JsonObject,
    options: RequestOptions,
  ): Promise<JsonObject> {
    const method = "tools/call";
    const headers = paramHeaders.of(params);
    const start = performance.now();
    try {
      return await this.#session.request(this.#client, method, params, options, headers);
    } catch (error) {
      if (!isHeaderMismatch(error)) throw error;
      // The server has not run it: the tool was listed by nobody yet, or has changed since.
      await this.#learnTools(remaining(options, start));
      const learnt = paramHeaders.of(params);
      if (JSON.stringify(learnt) === JSON.stringify(headers)) throw error;
      const rest = { ...options, ...remaining(options, start) };
      return this.#session.request(this.#client, method, params, rest, learnt);
    }
  }

  async #learnTools(options: RequestOptions): Promise<void> {
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      ({ nextCursor: cursor } = await this.listTools(cursor, options));
      if (cursor === undefined) return;
    }
  }

  async #page(
    method: string,
    key: string,
    cursor: string | undefined,
    options: RequestOptions | undefined,
  ): Promise<Page> {
    const params = cursor === undefined ? {} : { cursor };
    const result = await this.request(method, params, options);
    const label = `${this.#session.description}: ${method}`;
    const page = readPage(label, key, result);
    if (key !== "tools" || this.#paramHeaders === undefined) return page;
    const items = this.#paramHeaders.learn(page.items, (name, why) =>
      this.#session.diagnostic(new Error(`${label}: ${name.slice(0, 80)} is left out: ${why}`)),
    );
    return { ...page, items };
  }
}

function isHeaderMismatch(error: unknown): boolean {
  return error instanceof MCPTransportError && error.rpcCode === headerMismatch;
}

/** What is left of the time that a request may take, once it has to be sent again. */
function remaining({ signal, timeoutMs }: RequestOptions, start: number): RequestOptions {
  return {
    ...(signal && { signal }),
    ...(timeoutMs !== undefined && {
      timeoutMs: Math.max(1, timeoutMs - (performance.now() - start)),
    }),
  };
}

async function within(ms: number, work: Promise<void> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
