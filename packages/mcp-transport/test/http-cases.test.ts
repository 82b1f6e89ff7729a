import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createTransport, type MCPConnection } from "../src/index.ts";
import { caseHttpServer } from "./support/case-server.ts";
import { failure } from "./support/failure.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  async function open(name: string) {
    const { url, log } = await caseHttpServer(name);
    const connection = await createTransport({ name, url }, { engine }).open();
    return { connection, log };
  }

  async function textOf(connection: MCPConnection, tool: string): Promise<unknown> {
    const { content } = await connection.callTool(tool, {}, { timeoutMs: 3_000 });
    return (content as { text?: string }[])[0]?.text;
  }

  describe.concurrent("a server that", () => {
    it.for([
      ["answers notifications with 204", "notify-204", "fine"],
      ["answers notifications with a body", "notify-200-null", "fine"],
      ["speaks only SSE", "sse-only", "over sse"],
    ] as const)("%s is understood (%s)", async ([, name, text]) => {
      const { connection } = await open(name);
      expect((await connection.listTools()).items).toHaveLength(1);
      expect(await textOf(connection, "a")).toBe(text);
      await connection.close();
    });

    it("offers no stream of its own is not asked for it again and again", async () => {
      const { connection, log } = await open("get-404");
      const heard: string[] = [];
      connection.onDiagnostic((error) => heard.push(error.message));
      await sleep(1_500);
      expect(await textOf(connection, "a")).toBe("post works");
      expect(log().filter(({ http }) => http === "GET")).toHaveLength(1);
      expect(heard).toEqual([expect.stringContaining("HTTP 404")]);
      await connection.close();
    });

    it("refuses with a reason has it told, also after the fallback", async () => {
      const { url } = await caseHttpServer("http-400-reason");
      const error = await failure(createTransport({ name: "w", url }, { engine }).open());
      expect(error).toMatchObject({ code: "http", httpStatus: 400 });
      expect(error.message).toContain("workspace not enabled: ask an owner to switch it on");
    });

    it("forgets the session fails the call unexecuted; a fresh connection works", async () => {
      const { url, log } = await caseHttpServer("session-404");
      const transport = createTransport({ name: "s", url }, { engine });
      const first = await transport.open();
      expect(await textOf(first, "count")).toBe("count 1");
      expect(await textOf(first, "expire")).toBe("expired");
      expect(await failure(first.callTool("count", {}))).toMatchObject({
        code: "session_lost",
        delivery: "refused",
      });
      const second = await transport.open();
      expect(await textOf(second, "count")).toBe("count 2");
      await Promise.all([first.close(), second.close()]);
      const initialized = log().filter(({ m }) => m?.method === "initialize");
      expect(initialized.map(({ session }) => session)).toEqual([undefined, undefined]);
    });

    it("ends the stream of a call early fails that call alone, once", async () => {
      const { connection, log } = await open("sse-ends-early");
      const start = performance.now();
      const error = await failure(connection.callTool("cut", {}, { timeoutMs: 18_000 }));
      expect(performance.now() - start).toBeLessThan(9_000);
      expect(error).toMatchObject({ code: "network", delivery: "unknown" });
      expect(error.message).toContain("the stream ended without the answer");
      expect(await textOf(connection, "whole")).toBe("whole");
      const cut = log().filter(({ m }) => m?.params?.["name"] === "cut");
      expect(cut).toHaveLength(1);
      await connection.close();
    });
  });
});
