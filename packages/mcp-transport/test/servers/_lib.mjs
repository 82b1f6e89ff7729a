// JSON-RPC for the servers of this folder. Plain node, no SDK.
// CASE_LOG=<file>: every message and event is appended there as one JSON line.
import fs from "node:fs";
import http from "node:http";

export const log = (entry) => {
  if (!process.env.CASE_LOG) return;
  const line = JSON.stringify({ t: Date.now(), pid: process.pid, ...entry });
  fs.appendFileSync(process.env.CASE_LOG, `${line}\n`);
};
export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
export const tool = (name, extra = {}) => ({
  name,
  description: `tool ${name}`,
  inputSchema: { type: "object", properties: {} },
  ...extra,
});
export const text = (said, extra = {}) => ({
  content: [{ type: "text", text: String(said) }],
  ...extra,
});
export const ok = (id, result) => ({ jsonrpc: "2.0", id, result });
export const fail = (code, message) =>
  Object.assign(new Error(message), { rpc: { code, message } });
export const NONE = Symbol("no reply");

/** Of `handlers`: `tools`, `call(name, args, message, io)`, and `[method](params, message, io)`. */
const own = {
  initialize: (params, _handlers, caps) => ({
    protocolVersion: params?.protocolVersion ?? "2025-06-18",
    capabilities: caps,
    serverInfo: { name: "case", version: "0.0.0" },
  }),
  ping: () => ({}),
  "tools/list": (_, { tools = [] }) => ({ tools: typeof tools === "function" ? tools() : tools }),
};

async function resultOf(message, handlers, caps, io) {
  const { method, params } = message;
  if (handlers[method]) return handlers[method](params, message, io);
  if (method === "tools/call" && handlers.call) {
    return handlers.call(params?.name, params?.arguments, message, io);
  }
  if (own[method]) return own[method](params, handlers, caps);
  throw fail(-32601, `Method not found: ${method}`);
}

/** The answer to a message, if it gets one. */
export async function answer(message, handlers, caps = { tools: {} }, io = undefined) {
  if (message.method === undefined) {
    handlers.response?.(message, io);
    return undefined;
  }
  if (message.id === undefined && !handlers[message.method]) return undefined;
  try {
    const result = await resultOf(message, handlers, caps, io);
    if (message.id === undefined || result === NONE) return undefined;
    const reply = ok(message.id, result);
    return handlers.out ? handlers.out(reply) : reply;
  } catch (error) {
    if (message.id === undefined) return undefined;
    return {
      jsonrpc: "2.0",
      id: message.id,
      error: error.rpc ?? { code: -32603, message: String(error) },
    };
  }
}

export function stdio(handlers, { caps, eol = "\n", exitOnEof = true, write } = {}) {
  const io = {
    raw: (said) => process.stdout.write(said),
    send: (message) =>
      write ? write(message) : process.stdout.write(JSON.stringify(message) + eol),
  };
  const take = async (line) => {
    if (line.trim() === "") return;
    const message = JSON.parse(line);
    log({ ev: "in", m: message });
    const reply = await answer(message, handlers, caps, io);
    if (reply) io.send(reply);
  };
  let rest = "";
  log({ ev: "start" });
  process.stdin.setEncoding("utf8");
  process.stdin.on("data", (chunk) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop();
    for (const line of lines) void take(line);
  });
  process.stdin.on("end", () => {
    log({ ev: "stdin-end" });
    if (exitOnEof) process.exit(0);
  });
}

export const json = (response, status, body, headers = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
};

/** Prints "LISTENING <url>", shows what it saw at /__log, ends with its stdin. */
function listen(path, handle) {
  const seen = [];
  const server = http.createServer((request, response) => {
    if (request.url === "/__log") return json(response, 200, seen);
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const message = body.startsWith("{") ? JSON.parse(body) : undefined;
      const session = request.headers["mcp-session-id"];
      seen.push({ http: request.method, path: request.url, session, m: message });
      void handle(request, response, message);
    });
    return undefined;
  });
  server.listen(Number(process.env.PORT ?? 0), "127.0.0.1", () => {
    process.stdout.write(`LISTENING http://127.0.0.1:${server.address().port}${path}\n`);
  });
  process.stdin.resume();
  process.stdin.on("end", () => process.exit(0));
}

const refuse = (_, response) => response.writeHead(405).end();

/** Streamable HTTP; `post(request, response, message, next)` and `get` stand in for what it does. */
export function httpServer(handlers, { post, get = refuse } = {}) {
  listen("/mcp", async (request, response, message) => {
    if (request.method === "GET") return get(request, response);
    if (request.method !== "POST") return refuse(request, response);
    const next = async (headers) => {
      const reply = await answer(message ?? {}, handlers);
      if (reply) json(response, 200, reply, headers);
      else response.writeHead(202).end();
    };
    return post ? post(request, response, message, next) : next();
  });
}

/** The old HTTP+SSE: GET opens the stream and names the endpoint, the replies come over the stream. */
export function sseServer(handlers) {
  let stream;
  listen("/sse", async (request, response, message) => {
    if (request.method === "GET") {
      stream = response;
      response.writeHead(200, { "content-type": "text/event-stream" });
      return response.write(": hello\n\nevent: endpoint\ndata: /messages?sid=1\n\n");
    }
    if (!request.url.startsWith("/messages")) return refuse(request, response);
    response.writeHead(202).end("Accepted");
    const reply = await answer(message, handlers);
    return reply && stream.write(`event: message\ndata: ${JSON.stringify(reply)}\n\n`);
  });
}

/** Writes to stderr the way most languages do: blocks until the reader has taken it all. */
export function stderrBlocking(data) {
  let rest = Buffer.from(data);
  const lock = new Int32Array(new SharedArrayBuffer(4));
  while (rest.length > 0) {
    try {
      rest = rest.subarray(fs.writeSync(2, rest));
    } catch (error) {
      if (error.code !== "EAGAIN") throw error;
      Atomics.wait(lock, 0, 0, 5);
    }
  }
}
