import { stdioTestServer } from "@x/mcp-testkit";
import { MCPTransportError } from "@x/mcp-transport";
import { afterEach, expect, it } from "vitest";
import { type MCPAdapterEvent, MCPToolAdapter } from "../src/index.ts";
import { addTool, connectedMock, overEngines } from "./mock-adapter.ts";

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

/** Every event there is; one more does not compile without a line here. */
const types: Record<MCPAdapterEvent["type"], true> = {
  state: true,
  "connect.start": true,
  "connect.end": true,
  "connect.error": true,
  "connection.lost": true,
  "recover.start": true,
  "recover.end": true,
  "recover.error": true,
  "circuit.open": true,
  "circuit.close": true,
  "discover.end": true,
  "tool.quarantined": true,
  "list.changed": true,
  "invoke.start": true,
  "invoke.end": true,
  "invoke.replay": true,
  stderr: true,
  diagnostic: true,
};

const secret = "s3cr3t-value";

overEngines(() => {
  it("tells everything that happens, and no arguments or results", async () => {
    const { adapter, server, transport, events } = await connectedMock(
      { tools: [addTool, { name: "bad", inputSchema: "none" }] },
      { recovery: "auto", circuitResetMs: 20, replay: () => true },
    );
    open.push(() => adapter.disconnect());
    await adapter.discoverTools();
    const call = () => adapter.invoke("add", { a: 1, b: 2, note: secret });
    server.failNext(new MCPTransportError("closed", "lost", { delivery: "unknown" }), "tools/call");
    expect((await call()).success).toBe(true);
    server.setTools([addTool]);
    server.notify("notifications/nobody/listens");
    const refused = new MCPTransportError("refused", "nothing listens", { delivery: "not_sent" });
    for (let failure = 0; failure < 5; failure += 1) transport.failNextOpen(refused);
    server.drop();
    expect(await call()).toMatchObject({ errorCode: "unavailable" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect((await call()).success).toBe(true);

    const stdio = stdioTestServer({
      faults: [{ fault: "stderr-flood", bytes: 100, when: "start" }],
    });
    open.push(() => stdio.stop());
    const talks = new MCPToolAdapter(
      { name: "talks", command: stdio.command, args: stdio.args },
      { onEvent: (event) => void events.push(event) },
    );
    open.push(() => talks.disconnect());
    await talks.connect();
    await expect.poll(() => events.some(({ type }) => type === "stderr")).toBe(true);

    const seen = new Set(events.map(({ type }) => type));
    expect([...seen].sort()).toEqual(Object.keys(types).sort());
    expect(new Set(events.map((event) => event.server))).toEqual(new Set(["mock", "talks"]));
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it("tells of a call what came of it", async () => {
    const { adapter, events } = await connectedMock({ tools: [addTool] });
    open.push(() => adapter.disconnect());
    await adapter.invoke("add", { a: 1, b: 2 });
    await adapter.invoke("add", { a: "1" });
    const calls = events.filter(({ type }) => type.startsWith("invoke."));
    const [first, , second] = calls;
    expect(calls).toMatchObject([
      { type: "invoke.start", tool: "add" },
      { type: "invoke.end", tool: "add", errorCode: null, ran: "yes" },
      { type: "invoke.start", tool: "add" },
      { type: "invoke.end", tool: "add", errorCode: "validation", ran: "no" },
    ]);
    expect(first).not.toEqual(second);
  });
});
