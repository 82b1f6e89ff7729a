import type { MCPServerConfig } from "@x/mcp-transport";
import { MCPToolAdapter } from "./adapter.ts";
import { adapterError, MCPAdapterError, messageOf } from "./errors.ts";
import type { MCPToolAdapterOptions } from "./options.ts";
import type { MCPToolSink } from "./registration.ts";

type MemberState =
  | { readonly is: "pending" | "connected" | "closed" }
  | { readonly is: "failed"; readonly error: MCPAdapterError };

/** One server of a hub, from its config to its registered tools. */
export class HubMember {
  readonly name: string;
  /** Missing where the config is wrong: trying again would not help. */
  readonly adapter: MCPToolAdapter | undefined;
  readonly #registry: MCPToolSink | undefined;
  readonly #stop = new AbortController();
  #state: MemberState = { is: "pending" };
  #flight: Promise<void> | undefined;
  #registered = false;

  constructor(
    name: string,
    made: MCPToolAdapter | MCPAdapterError,
    registry: MCPToolSink | undefined,
  ) {
    this.name = name;
    this.#registry = registry;
    if (made instanceof MCPAdapterError) this.#state = { is: "failed", error: made };
    else this.adapter = made;
  }

  get state(): MemberState {
    return this.#state;
  }

  /** Connects and registers, or fails and leaves nothing running. Never rejects. */
  connect(signal?: AbortSignal): Promise<void> {
    const { adapter } = this;
    if (adapter === undefined) return Promise.resolve();
    this.#flight ??= this.#connect(adapter, signal).finally(() => {
      this.#flight = undefined;
    });
    return this.#flight;
  }

  /** Takes the tools out of the registry and disconnects; rejects when both have been tried. */
  async close(): Promise<void> {
    this.#stop.abort();
    await this.#flight;
    const errors: unknown[] = [];
    try {
      if (this.#registered && this.#registry) {
        this.adapter?.unregisterTools(this.#registry, this.name);
      }
    } catch (error) {
      errors.push(error);
    }
    await this.adapter?.disconnect().catch((error: unknown) => errors.push(error));
    if (this.#state.is !== "failed") this.#state = { is: "closed" };
    if (errors.length > 0) throw joined(this.name, "not closed cleanly", errors);
  }

  async #connect(adapter: MCPToolAdapter, given: AbortSignal | undefined): Promise<void> {
    this.#state = { is: "pending" };
    const signal = given ? AbortSignal.any([given, this.#stop.signal]) : this.#stop.signal;
    try {
      await adapter.connect({ signal });
      if (this.#registry) {
        await adapter.registerTools(this.#registry, this.name, { signal });
        this.#registered = true;
      }
      this.#state = { is: "connected" };
    } catch (error) {
      const errors = [ownError(this.name, error)];
      await adapter.disconnect().catch((other: unknown) => errors.push(ownError(this.name, other)));
      this.#state = { is: "failed", error: joined(this.name, "not connected", errors) };
    }
  }
}

/** A config that is wrong fails its server alone. */
export function makeAdapter(
  config: MCPServerConfig,
  options: MCPToolAdapterOptions | undefined,
): MCPToolAdapter | MCPAdapterError {
  try {
    return new MCPToolAdapter(config, options);
  } catch (error) {
    if (error instanceof MCPAdapterError) return error;
    throw error;
  }
}

/** The only error, or one that tells of all; code and class are those of the first. */
export function joined(server: string, what: string, errors: readonly unknown[]): MCPAdapterError {
  const [first, ...others] = errors;
  const error = adapterError(server, what, first);
  if (others.length === 0) return error;
  const message = [error, ...others].map(messageOf).join("; besides: ");
  return new MCPAdapterError(error.code, message, { server, cause: new AggregateError(errors) });
}

/** What is not ours here was thrown by the sink. */
function ownError(server: string, error: unknown): MCPAdapterError {
  if (error instanceof MCPAdapterError) return error;
  const message = `server "${server}": its tools were not registered: ${messageOf(error)}`;
  return new MCPAdapterError("not_registered", message, { server, cause: error });
}
