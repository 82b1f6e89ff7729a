// Ends at any request before `initialize`, as servers of the Rust SDK do.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const note = (event) =>
  appendFileSync(process.env.CASE_LOG, `${JSON.stringify({ ...event, pid: process.pid })}\n`);
note({ ev: "start" });
let initialized = false;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  note({ m: { method } });
  if (method === "initialize") initialized = true;
  if (!initialized && process.env.ON_UNKNOWN === "exit") process.exit(1);
  if (!initialized && process.env.ON_UNKNOWN === "silence") continue;
  if (id === undefined) continue;
  const serverInfo = { name: "old", version: "1" };
  const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo };
  const nullId = !initialized && process.env.ON_UNKNOWN === "null id";
  const error = { code: -32601, message: "Method not found" };
  const reply = method === "initialize" ? { id, result } : { id: nullId ? null : id, error };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...reply })}\n`);
}
