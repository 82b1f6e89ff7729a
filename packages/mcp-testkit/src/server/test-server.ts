import { emptyBoard, memoryBoard } from "../board/board.ts";
import type { Transport } from "../faults/entry.ts";
import type { Fault } from "../faults/fault.ts";
import { HttpService } from "../http/http-service.ts";
import { ssePath, streamablePath } from "../http/router.ts";
import type { HttpOptions } from "../http/streamable.ts";
import type { JsonObject } from "../json-rpc.ts";
import type { Host, Life, ServiceOptions } from "../protocol/host.ts";
import type { TestTool } from "../protocol/tool.ts";
import { memoryJournal } from "../records/journal.ts";
import { TestkitError } from "../testkit-error.ts";
import { announce, makeHost } from "./make-host.ts";
import { defaultRecordLimit, RecordedServer, type RecordOptions } from "./recorded-server.ts";

export interface TestServerOptions extends ServiceOptions, HttpOptions, RecordOptions {
  /** @defaultValue a free one */
  readonly port?: number;
  /** Tools beside the built-in ones. @defaultValue none */
  readonly tools?: readonly TestTool[];
  /** Faults that are on from the start. @defaultValue none */
  readonly faults?: readonly Fault[];
}

export interface OpenSession {
  readonly id: string;
  readonly transport: Transport;
  readonly protocolVersion: string | undefined;
  /** Requests that run. */
  readonly running: number;
  /** Streams on which the client listens for messages of the server. */
  readonly listeners: number;
}

/**
 * Starts an MCP server in this process, on 127.0.0.1, that speaks streamable HTTP and legacy SSE.
 * @throws TestkitError `fault`; the system's error if the port is taken
 */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = new TestServer(options);
  for (const fault of options.faults ?? []) server.faults.on(fault);
  await server.restart();
  return server;
}

/** A server in this process; `startTestServer` makes and starts it. */
export class TestServer extends RecordedServer {
  readonly #host: Host;
  readonly #service: HttpService;
  #stopped = false;

  constructor(options: TestServerOptions) {
    const journal = memoryJournal(options.recordLimit ?? defaultRecordLimit);
    const store = memoryBoard();
    super(journal, store, ["http", "sse"]);
    store.write({ ...emptyBoard, tools: options.tools ?? [] });
    const life: Life = {
      exit: () => void this.down(),
      crash: () => void this.down({ reset: true }),
      closeStdout: () => undefined,
      floodStderr: () => undefined,
      startGrandchild: () => Promise.resolve(),
    };
    this.#host = makeHost(options, journal, store, life);
    this.#service = new HttpService(this.#host, options.port ?? 0, options);
  }

  get port(): number {
    return this.#service.listener.port;
  }

  /** Endpoint of streamable HTTP. */
  get url(): string {
    return `http://127.0.0.1:${this.port}${streamablePath}`;
  }

  /** Endpoint of legacy HTTP+SSE; a POST to it is answered 405. */
  get sseUrl(): string {
    return `http://127.0.0.1:${this.port}${ssePath}`;
  }

  /** Whether connections are accepted. */
  get isUp(): boolean {
    return this.#service.listener.isUp;
  }

  /** Connections that are open. */
  get sockets(): number {
    return this.#service.listener.sockets;
  }

  get sessions(): readonly OpenSession[] {
    return [...this.#host.sessions].map(
      ({ id, transport, protocolVersion, running, listeners }) => ({
        ...{ id, transport, protocolVersion, listeners },
        running: running.size,
      }),
    );
  }

  override notify(method: string, params?: JsonObject): void {
    announce(this.#host, method, params);
  }

  /** Forgets all sessions: the next request of each client meets 404. */
  forgetSessions(): void {
    this.#host.sessions.forgetAll();
  }

  /** Ends every open connection; new ones are accepted and sessions stay. */
  cut({ reset = false }: { readonly reset?: boolean } = {}): void {
    this.#service.listener.cut(reset);
  }

  /** As if the process had died: connections are refused, sessions forgotten, nothing runs. */
  async down({ reset = false }: { readonly reset?: boolean } = {}): Promise<void> {
    await this.#service.down(reset);
  }

  /**
   * Goes down, if it is up, and comes up again on the same port.
   * @throws TestkitError `stopped`
   */
  async restart(): Promise<void> {
    if (this.#stopped) throw new TestkitError("stopped", "the server was stopped");
    await this.down();
    await this.#service.up();
  }

  override async stop(): Promise<void> {
    this.#stopped = true;
    await this.down();
  }
}
