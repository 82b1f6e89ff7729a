import type { StdioServerConfig } from "../config.ts";
import type { JsonObject } from "../connection.ts";
import { describeCommand } from "../describe.ts";
import type { EngineWire, Sending, WireEvents } from "../engine/engine-wire.ts";
import { MCPTransportError, type MCPTransportErrorOptions } from "../errors.ts";
import type { Redactor } from "../redact.ts";
import { childEnvironment, droppedProxies } from "./environment.ts";
import { LineSplitter } from "./lines.ts";
import { idAtEdge, readLine } from "./message-line.ts";
import { type ProcessEnd, ServerProcess } from "./process.ts";
import { spawnFailure } from "./spawn-failure.ts";
import { StderrTail } from "./stderr-tail.ts";

/** How long the reason of a failed write, the end of the process, is waited for. */
const reasonMs = 300;

export interface StdioWireOptions {
  readonly config: StdioServerConfig;
  readonly redactor: Redactor;
  readonly maxMessageBytes: number;
  readonly onStderr?: ((text: string) => void) | undefined;
}

/** One server process, and JSON-RPC messages on the lines of its stdin and stdout. */
export class StdioWire implements EngineWire {
  readonly description: string;
  readonly #options: StdioWireOptions;
  readonly #env: Record<string, string>;
  readonly #stderr: StderrTail;
  readonly #lines: LineSplitter;
  #events: WireEvents | undefined;
  #process: ServerProcess | undefined;
  #starting: Promise<void> | undefined;
  /** Ends when the writes before it have been taken by the system. */
  #writes: Promise<void> = Promise.resolve();
  #garbage: string | undefined;
  #oversized: { begin: string; reported: boolean } | undefined;

  constructor(options: StdioWireOptions) {
    const { config, redactor, maxMessageBytes, onStderr } = options;
    this.description = `${config.name} (${describeCommand(config)})`;
    this.#options = options;
    this.#env = childEnvironment(config);
    this.#stderr = new StderrTail(redactor, onStderr);
    this.#lines = new LineSplitter(maxMessageBytes, {
      line: (text) => this.#read(text),
      oversized: (begin) => this.#tooLong(begin),
      oversizedEnd: (end) => this.#tooLongEnd(end),
    });
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  start(events: WireEvents): Promise<void> {
    this.#events = events;
    this.#starting = this.#start();
    return this.#starting;
  }

  async send(_message: JsonObject, { text, signal, leaving }: Sending): Promise<void> {
    const turn = this.#writes.then(() => this.#write(`${text}\n`, signal, leaving));
    this.#writes = turn.catch(() => {});
    await turn;
  }

  async close(manner: "graceful" | "abrupt"): Promise<void> {
    // A process that is about to start has to be there before it can be ended.
    await this.#starting?.catch(() => {});
    await this.#process?.stop(manner);
    this.#stderr.end();
  }

  explain(error: MCPTransportError): MCPTransportError {
    const { code, message, cause, ...fields } = error;
    const dropped = droppedProxies(this.#env);
    const hints = [
      message,
      ...(this.#garbage !== undefined && code !== "spawn"
        ? [`its stdout held what is no JSON-RPC message: ${JSON.stringify(this.#garbage)}`]
        : []),
      ...(code === "exited" ? [] : this.#lastWords()),
      ...(dropped.length > 0 && code !== "aborted" && code !== "config"
        ? [`${dropped.join(", ")} of this process were not passed on; see inheritEnv`]
        : []),
    ];
    return new MCPTransportError(code, hints.join("; "), { ...fields, ...this.#tail(), cause });
  }

  async #start(): Promise<void> {
    const { config } = this.#options;
    try {
      this.#process = await ServerProcess.start(config, this.#env, {
        stdout: (chunk) => this.#lines.push(chunk),
        stderr: (chunk) => this.#stderr.push(chunk),
        ended: (end) => this.#ended(end),
      });
    } catch (error) {
      throw spawnFailure(this.description, config, error);
    }
  }

  async #write(text: string, signal: AbortSignal | undefined, leaving: () => void): Promise<void> {
    if (signal?.aborted) {
      throw new MCPTransportError("aborted", `${this.description}: ended before it was sent`, {
        delivery: "not_sent",
      });
    }
    leaving();
    try {
      await this.#process?.write(text);
    } catch {
      // It has most likely ended, which says more than a broken pipe.
      await new Promise((resolve) => setTimeout(resolve, reasonMs));
      throw new MCPTransportError("closed", `${this.description}: does not read its stdin`);
    }
  }

  #read(text: string): void {
    const line = readLine(text);
    if (line.kind === "message") this.#events?.message(line.message);
    if (line.kind !== "garbage") return;
    const shown = this.#options.redactor.redact(line.text.slice(0, 1_000)).slice(0, 200);
    this.#garbage ??= shown;
    this.#diagnose(`a line of stdout is no JSON-RPC message: ${JSON.stringify(shown)}`);
  }

  #tooLong(begin: string): void {
    const id = idAtEdge(begin);
    this.#oversized = { begin, reported: id !== undefined };
    if (id !== undefined) this.#events?.lost(id, this.#limitError());
  }

  #tooLongEnd(end: string): void {
    const { begin = "", reported = false } = this.#oversized ?? {};
    this.#oversized = undefined;
    if (reported) return;
    const id = idAtEdge(begin, end);
    if (id !== undefined) this.#events?.lost(id, this.#limitError());
    // Whose answer it was is unknown, so every request in flight may be the one.
    else this.#events?.ended(this.#limitError());
  }

  #limitError(): MCPTransportError {
    const limit = `maxMessageBytes (${this.#options.maxMessageBytes})`;
    return new MCPTransportError("limit", `${this.description}: sent a message over ${limit}`);
  }

  #ended({ exitCode, exitSignal }: ProcessEnd): void {
    this.#lines.end();
    this.#stderr.end();
    const details: MCPTransportErrorOptions = {
      ...(exitCode !== undefined && { exitCode }),
      ...(exitSignal !== undefined && { exitSignal }),
      ...this.#tail(),
    };
    const exited = exitCode !== undefined || exitSignal !== undefined;
    const how = exitCode === undefined ? `was ended by ${exitSignal}` : `exited with ${exitCode}`;
    const message = [
      `${this.description}: ${exited ? how : "closed its stdout"}`,
      ...this.#lastWords(),
    ].join("; ");
    this.#events?.ended(new MCPTransportError(exited ? "exited" : "closed", message, details));
  }

  #tail(): { stderrTail?: string } {
    const { text } = this.#stderr;
    return text === "" ? {} : { stderrTail: text };
  }

  #lastWords(): string[] {
    const words = this.#stderr.text.trim().slice(-300);
    return words === "" ? [] : [`its stderr ends: ${words}`];
  }

  #diagnose(message: string): void {
    this.#events?.diagnostic(new Error(`${this.description}: ${message}`));
  }
}
