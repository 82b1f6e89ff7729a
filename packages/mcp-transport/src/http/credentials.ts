import type { HTTPServerConfig } from "../config.ts";
import { MCPTransportError } from "../errors.ts";
import type { Redactor } from "../redact.ts";
import { checkHeaders, type HeadersFn, type HeadersRequest } from "./headers.ts";

export interface GivenHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** How many times headers had been asked for anew when these were given. */
  readonly generation: number;
}

/** The user's headers, for one connection. */
export class Credentials {
  readonly #source: HTTPServerConfig["headers"];
  readonly #redactor: Redactor;
  /** Of the connection: one caller who leaves does not stop the asking for all. */
  readonly #signal: AbortSignal;
  #generation = 0;
  #renewed: Readonly<Record<string, string>> = {};
  #renewing: Promise<GivenHeaders> | undefined;

  constructor(source: HTTPServerConfig["headers"], redactor: Redactor, signal: AbortSignal) {
    this.#source = source;
    this.#redactor = redactor;
    this.#signal = signal;
    if (typeof source === "object") this.#hide(source);
  }

  /** Whether there is anybody to ask for other headers. */
  get renewable(): boolean {
    return typeof this.#source === "function";
  }

  async get(url: URL, signal: AbortSignal): Promise<GivenHeaders> {
    const generation = this.#generation;
    if (typeof this.#source !== "function") return { headers: this.#source ?? {}, generation };
    const headers = await this.#ask(this.#source, { url, reason: "request", signal });
    return { headers, generation };
  }

  /** The headers to try after a 401 to those given: one asking for all requests that met it. */
  async renew(url: URL, refused: GivenHeaders): Promise<GivenHeaders> {
    if (refused.generation < this.#generation) {
      return { headers: this.#renewed, generation: this.#generation };
    }
    this.#renewing ??= this.#askAnew(url).finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #askAnew(url: URL): Promise<GivenHeaders> {
    if (typeof this.#source !== "function") return this.get(url, this.#signal);
    const request: HeadersRequest = { url, reason: "unauthorized", signal: this.#signal };
    this.#renewed = await this.#ask(this.#source, request);
    this.#generation += 1;
    return { headers: this.#renewed, generation: this.#generation };
  }

  async #ask(
    source: HeadersFn,
    { url, ...request }: HeadersRequest,
  ): Promise<Readonly<Record<string, string>>> {
    let given: unknown;
    try {
      given = await source({ ...request, url: new URL(url) });
    } catch (cause) {
      throw new MCPTransportError("unauthorized", "headers: the function failed", {
        cause,
        field: "headers",
        delivery: "not_sent",
      });
    }
    const headers = checkHeaders(given);
    this.#hide(headers);
    return headers;
  }

  #hide(headers: Readonly<Record<string, string>>): void {
    for (const value of Object.values(headers)) this.#redactor.add(value);
  }
}
