import { once } from "node:events";
import { type IncomingHttpHeaders, type IncomingMessage, request } from "node:http";
import { isObject, type JsonObject } from "../../src/json-rpc.ts";
import { within } from "./within.ts";

interface Head {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** One HTTP request without any client in between; `text` grows as bytes come. */
export interface RawExchange {
  /** Rejects if the connection ends before it. */
  readonly head: Promise<Head>;
  /** How it ended: properly, cut inside the response, or with a code before it. */
  readonly ended: Promise<string>;
  readonly chunks: readonly Buffer[];
  readonly text: string;
  /** Events of the stream that are complete by now; of a JSON body the messages in it. */
  readonly messages: readonly JsonObject[];
  isOpen(): boolean;
  abort(): void;
}

interface RequestParts {
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly onData?: (exchange: RawExchange) => void;
}

export function exchange(
  verb: string,
  url: string,
  { headers = {}, body, onData }: RequestParts = {},
): RawExchange {
  const chunks: Buffer[] = [];
  let open = true;
  const outgoing = request(url, { method: verb, headers, agent: false });
  const response = once(outgoing, "response").then(([found]: IncomingMessage[]) => {
    if (found === undefined) throw new Error("no response");
    return found;
  });
  const ended = response.then(
    async (incoming) => {
      try {
        for await (const chunk of incoming) {
          chunks.push(chunk);
          onData?.(exchanged);
        }
        return "end";
      } catch {
        return "cut";
      }
    },
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "?"),
  );
  void ended.finally(() => {
    open = false;
  });
  outgoing.on("error", () => undefined);
  outgoing.end(body);
  const head = response.then(({ statusCode = 0, headers: found }) => ({
    status: statusCode,
    headers: found,
  }));
  head.catch(() => undefined);
  const exchanged: RawExchange = {
    head,
    ended,
    chunks,
    get text() {
      return Buffer.concat(chunks).toString();
    },
    get messages() {
      return messagesIn(Buffer.concat(chunks).toString());
    },
    isOpen: () => open,
    abort: () => outgoing.destroy(),
  };
  return exchanged;
}

/** Objects in the data of complete events, or in a JSON body. */
function messagesIn(text: string): JsonObject[] {
  const events = text.split(/\r?\n\r?\n/).slice(0, -1);
  const data = events.flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? []);
  return (data.length > 0 ? data : [text]).flatMap(parsed).filter(isObject);
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [value];
  } catch {
    return [];
  }
}

export const jsonHeaders = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};

export function post(
  url: string,
  message: unknown,
  headers: Record<string, string> = {},
  onData?: (exchange: RawExchange) => void,
): RawExchange {
  const body = typeof message === "string" ? message : JSON.stringify(message);
  return exchange("POST", url, {
    headers: { ...jsonHeaders, ...headers },
    body,
    ...(onData && { onData }),
  });
}

export const initializeParams: JsonObject = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: { name: "raw", version: "1" },
};

/** Opens a session of streamable HTTP. @returns the headers of its later requests */
export async function openSession(
  url: string,
  protocolVersion = "2025-11-25",
): Promise<{ "mcp-session-id": string }> {
  const params = { ...initializeParams, protocolVersion };
  const opening = post(url, { jsonrpc: "2.0", id: "init", method: "initialize", params });
  const { headers } = await within(opening.head);
  await within(opening.ended);
  const { "mcp-session-id": id } = headers;
  if (typeof id !== "string") throw new Error(`no session: ${opening.text}`);
  const session = { "mcp-session-id": id };
  await within(post(url, { jsonrpc: "2.0", method: "notifications/initialized" }, session).ended);
  return session;
}
