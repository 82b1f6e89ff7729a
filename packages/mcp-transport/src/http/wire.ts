import { AsyncLocalStorage } from "node:async_hooks";
import type { HTTPServerConfig } from "../config.ts";
import type { JsonObject } from "../connection.ts";
import { describeUrl } from "../describe.ts";
import type { EngineName } from "../engine/engine.ts";
import type { EngineWire, RequestId, Sending, WireEvents } from "../engine/engine-wire.ts";
import { withDelivery } from "../engine/flight.ts";
import { MCPTransportError } from "../errors.ts";
import type { Redactor } from "../redact.ts";
import { type BaseFetch, createBaseFetch } from "./base-fetch.ts";
import { Credentials } from "./credentials.ts";
import type { Exchange } from "./exchange.ts";
import { createGuardedFetch, type ServerRequest } from "./guarded-fetch.ts";
import type { FetchLike } from "./headers.ts";
import { type ResponseOptions, receiveSse, receiveStreamable } from "./responses.ts";
import { createSdkTransport, type SdkTransport } from "./sdk.ts";

export interface HttpWireOptions {
  readonly kind: "sse" | "streamable-http";
  readonly config: HTTPServerConfig;
  readonly redactor: Redactor;
  readonly maxMessageBytes: number;
  readonly engine: EngineName;
  /** The parameters of the OAuth callback that this connection begins with. */
  readonly authorizationResponse?: URLSearchParams | undefined;
}

/** How long the end of the session may take. */
const farewellMs = { graceful: 2_000, abrupt: 300 };

/** How often the SDK tries to resume the stream of a request. */
const mostResumptions = 2;

/**
 * One connection over HTTP. The SDK's transport keeps the session, the authorization and the
 * resumption; the messages are read here, from what the guarded fetch gets.
 */
export class HttpWire implements EngineWire {
  readonly description: string;
  readonly redactor: Redactor;
  /** The server's answer to the first request, if it was a status and no message. */
  refusedHandshake: MCPTransportError | undefined;
  readonly #options: HttpWireOptions;
  readonly #url: URL;
  readonly #ending = new AbortController();
  /**
   * Which exchange an HTTP request belongs to: whatever the SDK starts meanwhile runs inside. Each
   * wire has its own, since it may be opened in the course of another's message.
   */
  readonly #exchanges = new AsyncLocalStorage<Exchange>();
  readonly #listening: Promise<void>;
  #heard: () => void = () => {};
  #base: BaseFetch | undefined;
  #sdk: SdkTransport | undefined;
  /** Where the messages of an SSE connection are posted. */
  #endpoint: URL | undefined;
  /** What becomes of the end of the stream of an SSE connection. */
  #onStreamEnd: (reason: MCPTransportError) => void = () => {};
  #closing: Promise<void> | undefined;

  constructor(options: HttpWireOptions) {
    this.#options = options;
    this.redactor = options.redactor;
    this.#url = new URL(options.config.url);
    this.description = `${options.config.name} (${describeUrl(this.#url)})`;
    this.#listening = new Promise((resolve) => {
      this.#heard = resolve;
    });
  }

  async start(events: WireEvents): Promise<void> {
    const { config, kind, engine, authorizationResponse } = this.#options;
    this.#base = await createBaseFetch(config);
    const fetch = this.#createFetch(events, this.#base.fetch);
    const sdk = await createSdkTransport(engine, kind, this.#url, fetch, config.authProvider);
    if (this.#ending.signal.aborted) throw this.#error("closed", "closed while it was opened");
    this.#sdk = sdk;
    let last: Error | undefined;
    sdk.onerror = (error) => {
      // How sending went is told by `send`; and some errors are told twice.
      if (this.#exchanges.getStore()?.sending || error === last) return;
      last = error;
      events.diagnostic(error);
    };
    try {
      if (authorizationResponse) await this.#authorize(sdk, authorizationResponse);
      if (kind === "streamable-http") await sdk.start();
      else await this.#startStream(sdk, events);
    } catch (error) {
      throw this.#asTransportError(error);
    }
  }

  async send(message: JsonObject, { signal, headers, leaving }: Sending): Promise<void> {
    const exchange: Exchange = {
      id: requestIdOf(message),
      signal,
      leaving,
      sending: true,
      responses: 0,
      failedResumptions: 0,
    };
    try {
      const sending = headers === undefined ? {} : { headers };
      await this.#exchanges.run(exchange, async () => this.#sdk?.send(message, sending));
    } catch (cause) {
      const error = this.#asTransportError(cause);
      if (message["method"] === "initialize") this.refusedHandshake = error;
      const seen = exchange.responses > 0 && error.delivery === "not_sent";
      throw seen ? withDelivery(error, "unknown") : error;
    } finally {
      exchange.sending = false;
    }
  }

  setProtocolVersion(version: string): void {
    this.#sdk?.setProtocolVersion(version);
  }

  listening(): Promise<void> {
    return this.#options.kind === "sse" ? Promise.resolve() : this.#listening;
  }

  get streamPerRequest(): boolean {
    return this.#options.kind === "streamable-http";
  }

  /** The transport of 2024-11-05 has no place for what 2026-07-28 wants in headers. */
  get modern(): boolean {
    return this.#options.kind === "streamable-http";
  }

  close(manner: "graceful" | "abrupt"): Promise<void> {
    // Not as part of the exchange in whose course the connection is closed.
    const apart: Exchange = { leaving() {}, sending: true, responses: 0, failedResumptions: 0 };
    this.#closing ??= this.#exchanges.run(apart, () => this.#close(farewellMs[manner]));
    return this.#closing;
  }

  async #close(withinMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, withinMs);
    });
    // The server may not let a session be ended, or be gone; there is nothing to do about it then.
    await Promise.race([this.#sdk?.terminateSession?.().catch(() => {}), late]);
    clearTimeout(timer);
    this.#ending.abort();
    await this.#sdk?.close();
    await this.#base?.destroy();
  }

  #createFetch(events: WireEvents, fetch: FetchLike): FetchLike {
    const { config, kind, redactor, maxMessageBytes } = this.#options;
    const options: ResponseOptions = {
      label: this.description,
      maxMessageBytes,
      events,
      authorizes: config.authProvider !== undefined,
      redact: redactor.redact,
    };
    const guarded = createGuardedFetch({
      label: this.description,
      fetch,
      allowedHosts: config.allowedHosts,
      credentials: new Credentials(config.headers, redactor, this.#ending.signal),
      signal: this.#ending.signal,
      exchange: () => this.#exchanges.getStore(),
      redact: redactor.redact,
      isServer: (url) => url.href === this.#url.href || url.href === this.#endpoint?.href,
      receive: (request, response) => this.#receive(request, response, options),
    });
    return async (url, init) => {
      const exchange = this.#exchanges.getStore();
      const resuming = init?.method === "GET" && exchange?.id !== undefined;
      // The SDK takes it for a server that does not resume, and lets it be.
      if (resuming && exchange.signal?.aborted) return new Response(null, { status: 405 });
      try {
        return await guarded(url, init);
      } catch (cause) {
        const error = this.#asTransportError(cause);
        if (kind === "sse" && init?.method !== "POST") this.#onStreamEnd(error);
        if (resuming) this.#notResumed(exchange, error, events);
        throw error;
      }
    };
  }

  #notResumed(exchange: Exchange, cause: MCPTransportError, events: WireEvents): void {
    exchange.failedResumptions += 1;
    if (exchange.id === undefined || exchange.failedResumptions < mostResumptions) return;
    const message = "its stream broke, and could not be resumed";
    events.lost(exchange.id, this.#error("network", message, { cause }));
  }

  async #receive(
    request: ServerRequest,
    response: Response,
    options: ResponseOptions,
  ): Promise<Response> {
    if (this.#options.kind === "sse") {
      return receiveSse(
        request,
        response,
        options,
        (url) => this.#setEndpoint(url),
        (reason) =>
          this.#onStreamEnd(
            reason?.code === "limit"
              ? reason
              : this.#error("closed", "the event stream ended", reason && { cause: reason }),
          ),
      );
    }
    if (request.method === "GET" && request.exchange?.id === undefined) this.#heard();
    return receiveStreamable(request, response, options);
  }

  /** Resolves when the server has named the endpoint. */
  async #startStream(sdk: SdkTransport, events: WireEvents): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#onStreamEnd = reject;
      sdk.start().then(resolve, reject);
    });
    // It is closed then; else the SDK would open another stream, and with it another session.
    this.#onStreamEnd = (reason) => {
      if (this.#closing === undefined) events.ended(reason);
    };
  }

  #setEndpoint(address: string): void {
    const valid = URL.canParse(address, this.#url.href);
    const endpoint = valid ? new URL(address, this.#url) : undefined;
    if (endpoint?.origin === this.#url.origin) {
      this.#endpoint = endpoint;
    } else {
      const where = endpoint === undefined ? "no url" : describeUrl(endpoint);
      this.#onStreamEnd(this.#error("blocked", `the server wants messages posted to ${where}`));
    }
  }

  async #authorize(sdk: SdkTransport, parameters: URLSearchParams): Promise<void> {
    const refused = parameters.get("error");
    const code = parameters.get("code");
    if (refused === null && code === null) {
      throw this.#error("config", "authorizationResponse holds no code", {
        field: "authorizationResponse",
      });
    }
    if (this.#options.engine === "v1") {
      if (refused !== null || code === null) throw this.#refusedAuthorization(parameters);
      return sdk.finishAuth(code);
    }
    try {
      await sdk.finishAuth(parameters);
    } catch (cause) {
      // What came from another issuer than the one that was asked is not shown.
      const mixedUp = cause instanceof Error && cause.name === "IssuerMismatchError";
      throw refused === null || mixedUp ? cause : this.#refusedAuthorization(parameters, cause);
    }
  }

  #refusedAuthorization(parameters: URLSearchParams, cause?: unknown): MCPTransportError {
    const said = [parameters.get("error"), parameters.get("error_description") ?? ""].join(" ");
    const text = `authorization was refused: ${said}`.slice(0, 300).trim();
    return this.#error("unauthorized", text, cause === undefined ? {} : { cause });
  }

  /** Whatever is not of the guard is of the authorization, the only other thing the SDK does. */
  #asTransportError(error: unknown): MCPTransportError {
    if (error instanceof MCPTransportError) return error;
    if (this.#options.config.authProvider === undefined) {
      return this.#error("network", "the SDK's transport failed", { cause: error });
    }
    return this.#error("unauthorized", "authorization is needed", { cause: error });
  }

  #error(
    code: MCPTransportError["code"],
    message: string,
    details: { cause?: unknown; field?: string } = {},
  ): MCPTransportError {
    return new MCPTransportError(code, `${this.description}: ${message}`, details);
  }
}

function requestIdOf({ id, method }: JsonObject): RequestId | undefined {
  if (method === undefined) return undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}
