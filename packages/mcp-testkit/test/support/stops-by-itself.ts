import { stdioTestServer } from "../../src/server/stdio-test-server.ts";
import { startTestServer } from "../../src/server/test-server.ts";
import { exchange, openSession, post } from "./raw-http.ts";
import { spawnRaw } from "./raw-stdio.ts";
import { until } from "./within.ts";

const server = await startTestServer();
const session = await openSession(server.url);
const headers = { ...session, accept: "text/event-stream" };
const streams = [exchange("GET", server.url, { headers }), exchange("GET", server.sseUrl)];
const call = (id: number, name: string, args: object) => {
  const params = { name, arguments: args, _meta: { progressToken: id } };
  return post(server.url, { jsonrpc: "2.0", id, method: "tools/call", params }, session);
};
server.faults.on({ fault: "silence", tool: "read" });
server.faults.on({ fault: "half-open", tool: "echo" });
server.faults.on({ fault: "endless-progress", tool: "fail" });
server.faults.on({ fault: "endless", tool: "image" });
server.faults.on({ fault: "out-of-order", tool: "structured", ms: 60_000 });
server.faults.on({ fault: "delay", method: "prompts/list", ms: 60_000 });
const names = ["slow", "read", "fail", "image", "structured", "ask", "effect"];
const args = { ms: 60_000, id: "x", method: "roots/list" };
const calls = names.map((name, id) => call(id, name, args));
calls.push(post(server.url, { jsonrpc: "2.0", id: 99, method: "prompts/list" }, session));
await until(() => server.requests.length >= 12, "the requests");
calls.push(call(100, "echo", {}));
await until(() => server.faults.fired("half-open") === 1, "the half-open session");

// Neither a session that was forgotten nor one that was never finished may keep anything alive.
server.forgetSessions();
server.faults.on({ fault: "delay", method: "initialize", ms: 60_000 });
const opening = { jsonrpc: "2.0", id: 1, method: "initialize", params: {} };
calls.push(post(server.url, opening));
await until(() => server.faults.fired("delay") === 2, "the delay");

const stdio = stdioTestServer({ faults: [{ fault: "ignore-eof" }, { fault: "grandchild" }] });
const child = spawnRaw(stdio);
await until(() => stdio.processes.length === 2, "both processes");

await Promise.all([server.stop(), stdio.stop()]);
await Promise.all([...streams, ...calls].map(({ ended }) => ended));
await child.exited;
process.stdout.write(`stopped, with ${server.sockets} sockets\n`);
