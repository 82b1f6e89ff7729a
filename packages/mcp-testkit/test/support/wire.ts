import { PassThrough } from "node:stream";
import { memoryBoard } from "../../src/board/board.ts";
import { boardFaults } from "../../src/board/faults.ts";
import type { Transport } from "../../src/faults/entry.ts";
import type { JsonObject, RequestId } from "../../src/json-rpc.ts";
import type { ServiceOptions } from "../../src/protocol/host.ts";
import type { TestTool } from "../../src/protocol/tool.ts";
import { memoryJournal } from "../../src/records/journal.ts";
import type { Records } from "../../src/records/records.ts";
import { announce, makeHost } from "../../src/server/make-host.ts";
import type { RecordedServer } from "../../src/server/recorded-server.ts";
import { startTestServer } from "../../src/server/test-server.ts";
import { serveStdio } from "../../src/stdio/stdio-server.ts";
import { exchange, initializeParams, openSession, post, type RawExchange } from "./raw-http.ts";
import { messagesIn } from "./raw-stdio.ts";
import { until, within } from "./within.ts";

/** What a test can ask of the server behind a wire. */
type Served = Pick<
  RecordedServer,
  "faults" | "effects" | "runs" | "calls" | "requests" | "cancelled" | "notify"
>;

/** A raw session with a server over one of its transports, without any client in between. */
export interface Wire {
  readonly transport: Transport;
  /** Requests are answered as one JSON body. */
  readonly isJson: boolean;
  readonly server: Served;
  /** Messages in the order they came. */
  readonly received: readonly JsonObject[];
  /** All that was received, and in which pieces. */
  readonly chunks: readonly Buffer[];
  /** What became of the process that a stdio server would be. */
  readonly deaths: readonly string[];
  /** Whether whatever carries the answers is still open. */
  isOpen(): boolean;
  /** Sends a message or text. @returns the exchange, over HTTP */
  send(message: unknown): RawExchange | undefined;
  close(): Promise<void>;
}

export interface WireOptions extends ServiceOptions {
  readonly tools?: readonly TestTool[];
  readonly version?: string;
}

export type Opener = (options?: WireOptions) => Promise<Wire>;

/** Ids are unique over all wires, so that a stray answer cannot be taken for another. */
let ids = 100;

export function request(wire: Wire, method: string, params: JsonObject = {}): RequestId {
  ids += 1;
  wire.send({ jsonrpc: "2.0", id: ids, method, params });
  return ids;
}

export function callTool(
  wire: Wire,
  name: string,
  args: JsonObject = {},
  meta?: JsonObject,
): RequestId {
  const params = { name, arguments: args, ...(meta && { _meta: meta }) };
  return request(wire, "tools/call", params);
}

export function answersTo(wire: Wire, id: RequestId): readonly JsonObject[] {
  return wire.received.filter((message) => message["id"] === id);
}

export async function answerTo(wire: Wire, id: RequestId): Promise<JsonObject> {
  await until(() => answersTo(wire, id).length > 0, `the answer to ${id}`);
  const [answer = {}] = answersTo(wire, id);
  return answer;
}

export function ask(wire: Wire, method: string, params: JsonObject = {}): Promise<JsonObject> {
  return answerTo(wire, request(wire, method, params));
}

export const openStdio: Opener = async ({ tools = [], version, ...service } = {}) => {
  const journal = memoryJournal(1000);
  const store = memoryBoard();
  const deaths: string[] = [];
  const output = new PassThrough();
  const input = new PassThrough();
  const die = (how: string): void => {
    deaths.push(how);
    output.end();
  };
  const host = makeHost(service, journal, store, {
    exit: (code, stderr) => die(`exit ${code} ${stderr}`.trim()),
    crash: () => die("crash"),
    closeStdout: () => die("close-stdout"),
    floodStderr: (bytes) => void deaths.push(`stderr ${bytes}`),
    startGrandchild: async (ms, ignoreTerm) => {
      deaths.push(`grandchild ${ms} ${ignoreTerm}`);
    },
  });
  store.write({ ...store.read(), tools });
  const chunks: Buffer[] = [];
  output.on("data", (chunk: Buffer) => chunks.push(chunk));
  const { ended } = serveStdio(host, input, output);
  const server: Served = {
    faults: boardFaults(store, () => journal.records, ["stdio"]),
    ...pick(journal.records),
    notify: (method, params) => announce(host, method, params),
  };
  const wire = {
    transport: "stdio" as const,
    isJson: false,
    server,
    chunks,
    deaths,
    get received() {
      return messagesIn(Buffer.concat(chunks).toString());
    },
    isOpen: () => !output.writableEnded,
    send: (message: unknown) => {
      input.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`);
      return undefined;
    },
    close: async () => {
      input.end();
      await within(ended, "the end of the stdio server");
    },
  };
  await shakeHands(wire, version);
  return wire;
};

function pick({ effects, runs, calls, requests, cancelled }: Records) {
  return { effects, runs, calls, requests, cancelled };
}

async function shakeHands(wire: Wire, protocolVersion = "2025-11-25"): Promise<void> {
  await ask(wire, "initialize", { ...initializeParams, protocolVersion });
  wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
}

function openHttp(answers: "stream" | "json"): Opener {
  return async ({ version, ...options } = {}) => {
    const server = await startTestServer({ ...options, answers });
    const session = await openSession(server.url, version);
    const received: JsonObject[] = [];
    const chunks: Buffer[] = [];
    const seen = new Map<RawExchange, { messages: number; chunks: number }>();
    const onData = (found: RawExchange): void => {
      const { messages, chunks: known } = seen.get(found) ?? { messages: 0, chunks: 0 };
      received.push(...found.messages.slice(messages));
      chunks.push(...found.chunks.slice(known));
      seen.set(found, { messages: found.messages.length, chunks: found.chunks.length });
    };
    let last: RawExchange | undefined;
    return {
      transport: "http",
      isJson: answers === "json",
      server,
      received,
      chunks,
      deaths: [],
      isOpen: () => last?.isOpen() ?? true,
      send: (message) => {
        const sent = post(server.url, message, session, onData);
        if (typeof message === "object" && message !== null && "id" in message) last = sent;
        return sent;
      },
      close: () => server.stop(),
    };
  };
}

const openSse: Opener = async ({ version, ...options } = {}) => {
  const server = await startTestServer(options);
  const stream = exchange("GET", server.sseUrl, { headers: { accept: "text/event-stream" } });
  await until(() => stream.text.includes("\n\n"), "the endpoint event");
  const [, endpoint = ""] = /^data: (.*)$/m.exec(stream.text) ?? [];
  const url = new URL(endpoint, server.sseUrl).href;
  const wire = {
    transport: "sse" as const,
    isJson: false,
    server,
    chunks: stream.chunks,
    deaths: [],
    get received() {
      return stream.messages;
    },
    isOpen: stream.isOpen,
    send: (message: unknown) => post(url, message),
    close: () => server.stop(),
  };
  await shakeHands(wire, version);
  return wire;
};

/** Every way to a server. */
export const openers: readonly (readonly [name: string, open: Opener])[] = [
  ["stdio", openStdio],
  ["HTTP, streams", openHttp("stream")],
  ["HTTP, JSON", openHttp("json")],
  ["legacy SSE", openSse],
];
