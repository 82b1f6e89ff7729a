import { once } from "node:events";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import { type MCPAdapterEvent, MCPToolAdapter } from "../src/index.ts";

const secret = "s3cr3t-token-value";

/** Starts, writes its secrets to stderr and ends. */
const tellsAll = [
  "-e",
  "console.error('env', process.env.API_KEY, 'arg', process.argv[1]); process.exit(7)",
  "--",
  `--key=${secret}-arg`,
];

/** A port that nothing listens on. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  return typeof address === "object" && address !== null ? address.port : 0;
}

const everythingOf = (error: unknown) =>
  `${inspect(error, { depth: 9, showHidden: true })} ${JSON.stringify(error)} ${String(error)}`;

describe("secrets", () => {
  it("are in no error, event or inspection, also if the server prints them", async () => {
    const events: MCPAdapterEvent[] = [];
    const adapter = new MCPToolAdapter(
      {
        name: "leaky",
        command: process.execPath,
        args: tellsAll,
        env: { API_KEY: `${secret}-env` },
      },
      { recovery: "manual", onEvent: (event) => events.push(event) },
    );
    const error: unknown = await adapter.connect().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "exited", exitCode: 7, server: "leaky" });
    const seen = [error, adapter, events].map(everythingOf).join("\n");
    expect(seen).toContain("env");
    expect(seen).not.toContain(secret);
  });

  it("headers and the query of a url do not show either", async () => {
    const events: MCPAdapterEvent[] = [];
    const adapter = new MCPToolAdapter(
      {
        name: "remote",
        url: `http://127.0.0.1:${await closedPort()}/mcp?key=${secret}`,
        headers: { authorization: `Bearer ${secret}` },
      },
      { recovery: "manual", onEvent: (event) => events.push(event) },
    );
    const error: unknown = await adapter.connect().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "refused",
      attempted: expect.stringContaining("127.0.0.1"),
    });
    expect([error, adapter, events].map(everythingOf).join("\n")).not.toContain(secret);
  });

  it("arguments and results are in no event", async () => {
    const { connectedMock } = await import("./mock-adapter.ts");
    const { adapter, events } = await connectedMock({
      tools: [{ name: "t", call: () => ({ content: [{ type: "text", text: `${secret}-out` }] }) }],
    });
    await adapter.invoke("t", { key: `${secret}-in` });
    await adapter.disconnect();
    expect(events.map(({ type }) => type).filter((type) => type !== "state")).toEqual([
      "connect.start",
      "connect.end",
      "invoke.start",
      "discover.end",
      "invoke.end",
    ]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it("a listener that throws changes nothing and is not swallowed", async () => {
    const { connectedMock } = await import("./mock-adapter.ts");
    const thrown: unknown[] = [];
    const catcher = (error: unknown) => thrown.push(error);
    const others = process.listeners("uncaughtException");
    process.removeAllListeners("uncaughtException");
    process.on("uncaughtException", catcher);
    try {
      const { adapter } = await connectedMock(
        { tools: [{ name: "t" }] },
        {
          onEvent: () => {
            throw new Error("listener");
          },
        },
      );
      expect((await adapter.invoke("t")).success).toBe(true);
      await adapter.disconnect();
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(thrown.length).toBeGreaterThan(3);
    } finally {
      process.off("uncaughtException", catcher);
      for (const listener of others) process.on("uncaughtException", listener);
    }
  });
});
