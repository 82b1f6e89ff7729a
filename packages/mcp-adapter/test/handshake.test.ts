import { startTestServer, stdioTestServer } from "@x/mcp-testkit";
import { describe, expect, it } from "vitest";
import type { MCPToolAdapterOptions, MCPToolResult } from "../src/index.ts";
import { adapterOver, engines } from "./engine-adapter.ts";

/** What a real server of before 2026-07-28 is told of this client, and may ask of it. */

const text = ({ content: [first] }: MCPToolResult) =>
  first && "text" in first ? String(first.text) : "";

const accepts: MCPToolAdapterOptions = {
  onElicit: async ({ message }) => ({ action: "accept", content: { said: String(message) } }),
};
const rooted: MCPToolAdapterOptions = { roots: [{ uri: "file:///r", name: "r" }] };

describe.concurrent.each(engines)("over engine %s", (engine) => {
  it.for([
    ["nothing", {}, []],
    ["elicitation", accepts, ["elicitation"]],
    ["roots", rooted, ["roots"]],
    ["both", { ...accepts, ...rooted }, ["elicitation", "roots"]],
  ] as const)("advertised only if given: %s", async ([, options, expected], { onTestFinished }) => {
    const server = await startTestServer();
    onTestFinished(() => server.stop());
    const adapter = adapterOver(engine, { name: "s", url: server.url }, options);
    onTestFinished(() => adapter.disconnect());
    await adapter.connect();
    const initialize = server.requests.find(({ method }) => method === "initialize");
    expect(Object.keys(Object(initialize?.params?.["capabilities"])).sort()).toEqual(expected);
    expect(initialize?.params?.["clientInfo"]).toMatchObject({ name: "@x/mcp-adapter" });
  });

  it.for(["stdio", "http"] as const)(
    "questions are answered while the call waits, over %s",
    async (over, { onTestFinished }) => {
      const stdio = over === "stdio" ? stdioTestServer() : undefined;
      const http = stdio ? undefined : await startTestServer();
      onTestFinished(async () => (stdio ?? http)?.stop());
      const config = stdio
        ? { name: "s", command: stdio.command, args: stdio.args }
        : { name: "s", url: http?.url ?? "" };
      const adapter = adapterOver(engine, config, { ...accepts, ...rooted });
      onTestFinished(() => adapter.disconnect());
      await adapter.connect();
      const requestedSchema = { type: "object", properties: { said: { type: "string" } } };
      const asked = await adapter.invoke("ask", {
        method: "elicitation/create",
        params: { message: "Who?", requestedSchema },
      });
      expect(JSON.parse(text(asked))).toMatchObject({
        action: "accept",
        content: { said: "Who?" },
      });
      const roots = await adapter.invoke("ask", { method: "roots/list" });
      expect(JSON.parse(text(roots))).toMatchObject(rooted);
    },
  );

  it("a child that does not answer is not lost as long as it lives", async ({ onTestFinished }) => {
    const server = stdioTestServer({ faults: [{ fault: "silence", tool: "effect", times: 2 }] });
    onTestFinished(() => server.stop());
    const config = { name: "s", command: server.command, args: server.args };
    const adapter = adapterOver(engine, config);
    onTestFinished(() => adapter.disconnect());
    await adapter.connect();
    await adapter.discoverTools();
    const pids = [...server.pids];
    for (const id of ["a", "b"]) {
      const result = await adapter.invoke("effect", { id }, { timeoutMs: 200 });
      expect(result).toMatchObject({ errorCode: "timeout", ran: "unknown" });
    }
    expect((await adapter.invoke("effect", { id: "c" })).success).toBe(true);
    expect([adapter.state, [...server.pids]]).toEqual(["ready", pids]);
    expect(server.requests.map(({ method }) => method)).not.toContain("ping");
  });
});
