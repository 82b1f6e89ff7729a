import { describe, expect, it } from "vitest";
import { type MCPConnection, StdioTransport } from "../src/index.ts";
import { caseServer } from "./support/case-server.ts";
import { failure } from "./support/failure.ts";
import { isAlive } from "./support/processes.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  async function open(name: string): Promise<MCPConnection> {
    return new StdioTransport(caseServer(name).config, { engine }).open();
  }

  async function textOf(call: Promise<Record<string, unknown>>): Promise<unknown> {
    const { content } = await call;
    return (content as { text?: string }[])[0]?.text;
  }

  async function toolNames(connection: MCPConnection): Promise<unknown[]> {
    const { items } = await connection.listTools();
    return items.map((item) => (item as { name: unknown }).name);
  }

  describe.concurrent("a server that", () => {
    it.for([
      ["prints banners", "banner-lines", "tide", "high"],
      ["ends its lines with CRLF and blank ones", "crlf", "a", "crlf ok"],
      ["writes its characters byte by byte", "utf8-split", "say", "≤ café 日本 🚢 fin"],
      ["floods stderr", "stderr-flood", "noisy", "survived"],
      ["writes what is no text to stderr", "stderr-binary", "a", "ok"],
      ["asks for a ping before it answers", "ping-before-reply", "a", "pong ok"],
      ["answers with the id as a string", "string-id", "a", "id was a string"],
      ["starts slowly", "slow-start", "a", "late but fine"],
      ["wants arguments", "arguments-required", "pages", "args {}"],
    ] as const)("%s is understood (%s)", async ([, name, tool, text]) => {
      const connection = await open(name);
      expect(await toolNames(connection)).toEqual([tool]);
      expect(await textOf(connection.callTool(tool, {}))).toBe(text);
      await connection.close();
      expect(isAlive(connection.info.pid ?? 0)).toBe(false);
    });

    it("prints banners has them told as diagnostics", async () => {
      const connection = await open("banner-lines");
      const heard: string[] = [];
      connection.onDiagnostic((error) => heard.push(error.message));
      await connection.callTool("tide", {});
      expect(heard).toEqual([
        expect.stringContaining('no JSON-RPC message: "Tide server 3.1 starting"'),
        expect.stringContaining("listening on stdio"),
        expect.stringContaining("tide called with {}"),
      ]);
      await connection.close();
    });

    it("answers out of order gets every answer to its caller", async () => {
      const connection = await open("out-of-order");
      const calls = [1, 2, 3].map((n) => textOf(connection.callTool("t", { n })));
      expect(await Promise.all(calls)).toEqual(["answer 1", "answer 2", "answer 3"]);
      await connection.close();
    });

    it("refuses lists, pages or tools says why", async () => {
      const lists = await open("lists-not-found");
      expect(await failure(lists.listPrompts())).toMatchObject({ code: "rpc", rpcCode: -32601 });
      expect(await failure(lists.listResources())).toMatchObject({ code: "rpc", rpcCode: -32601 });
      expect(await textOf(lists.callTool("a", {}))).toBe("tools are fine");
      await lists.close();

      const pages = await open("page2-error");
      const { nextCursor } = await pages.listTools();
      expect(nextCursor).toBe("p2");
      expect(await failure(pages.listTools(nextCursor))).toMatchObject({
        code: "rpc",
        rpcMessage: "catalogue offline",
      });
      await pages.close();
    });

    it("changes its list tells so while a call is running", async () => {
      const connection = await open("list-changed");
      let changes = 0;
      await connection.onListChanged("tools", () => {
        changes += 1;
      });
      expect(await toolNames(connection)).toEqual(["grow", "old"]);
      expect(await textOf(connection.callTool("grow", {}))).toBe("grown");
      expect(changes).toBe(1);
      expect(await toolNames(connection)).toEqual(["grow", "late"]);
      await connection.close();
    });

    it("never answers initialize is given up at the deadline, and ended", async () => {
      const { config, log } = caseServer("silent-init");
      const start = performance.now();
      const error = await failure(
        new StdioTransport(config, { engine }).open({ timeoutMs: 1_000 }),
      );
      const took = performance.now() - start;
      expect(took).toBeGreaterThan(900);
      expect(took).toBeLessThan(8_000);
      expect(error.code).toBe("timeout");
      expect(error.message).toContain("silent-init (");
      expect(error.message).toContain("1000 ms");
      const [started] = log();
      expect(isAlive(started?.pid ?? 0)).toBe(false);
    });

    it("starts too slowly for its connectTimeoutMs is given up", async () => {
      const { config } = caseServer("slow-start");
      const transport = new StdioTransport({ ...config, connectTimeoutMs: 300 }, { engine });
      expect(await failure(transport.open())).toMatchObject({ code: "timeout" });
    });

    it("wants a version of the future is refused at once", async () => {
      const { config, log } = caseServer("version-future");
      const start = performance.now();
      const error = await failure(new StdioTransport(config, { engine }).open());
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(error.code).toBe("unsupported");
      expect(error.message).toContain("2099-01-01");
      expect(isAlive(log()[0]?.pid ?? 0)).toBe(false);
    });

    it("dies in a call makes it reject at once, with what is known", async () => {
      const { config, log } = caseServer("dies-in-call");
      const connection = await new StdioTransport(config, { engine }).open();
      const ended = new Promise((resolve) => connection.onClose(resolve));
      const start = performance.now();
      const error = await failure(connection.callTool("boom", {}, { timeoutMs: 20_000 }));
      expect(performance.now() - start).toBeLessThan(10_000);
      expect(error).toMatchObject({
        code: "exited",
        delivery: "unknown",
        exitCode: 3,
        stderrTail: "fatal: disk detached\n",
      });
      expect(error.message).toContain("exited with 3; its stderr ends: fatal: disk detached");
      expect(await ended).toMatchObject({ code: "exited", exitCode: 3 });
      const booms = log().filter(({ m }) => m?.params?.["name"] === "boom");
      expect(booms).toHaveLength(1);
      expect(await failure(connection.callTool("fine", {}))).toMatchObject({
        code: "closed",
        delivery: "not_sent",
        cause: { code: "exited" },
      });
      await connection.close();
    });

    it("shows progress for ever is ended by the total, and works on", async () => {
      const connection = await open("progress-forever");
      const start = performance.now();
      const limits = { timeoutMs: 1_500, idleTimeoutMs: 1_000 };
      expect(await failure(connection.callTool("spin", {}, limits))).toMatchObject({
        code: "timeout",
      });
      const took = performance.now() - start;
      expect(took).toBeGreaterThan(1_400);
      expect(took).toBeLessThan(12_000);
      expect(await textOf(connection.callTool("quick", {}))).toBe("quick");
      await connection.close();
    });

    it.for(["a timeout", "an abort"])(
      "naps is told by %s that nobody waits any more",
      async (what) => {
        const { config, log } = caseServer("cancel-on-timeout");
        const connection = await new StdioTransport(config, { engine }).open();
        const options =
          what === "a timeout" ? { timeoutMs: 200 } : { signal: AbortSignal.timeout(200) };
        const code = what === "a timeout" ? "timeout" : "aborted";
        expect(await failure(connection.callTool("nap", {}, options))).toMatchObject({
          code,
          delivery: "unknown",
        });
        expect(await textOf(connection.callTool("report", {}))).toBe("cancelled true");
        expect(log().filter(({ ev }) => ev === "cancelled")).toHaveLength(1);
        await connection.close();
      },
    );

    it("needs a while after end of input to save gets it", async () => {
      const { config, log } = caseServer("graceful-eof");
      const connection = await new StdioTransport(config, { engine }).open();
      await connection.close();
      expect(log().some(({ ev }) => ev === "saved")).toBe(true);
      expect(isAlive(connection.info.pid ?? 0)).toBe(false);
    });

    it("ignores end of input and TERM is killed, and close waits for it", async () => {
      const { config, log } = caseServer("ignores-sigterm");
      const connection = await new StdioTransport(config, { engine }).open();
      const pid = Number(await textOf(connection.callTool("a", {})));
      expect(pid).toBe(connection.info.pid);
      const start = performance.now();
      await Promise.all([connection.close(), connection.close()]);
      const took = performance.now() - start;
      expect(took).toBeGreaterThan(3_900);
      expect(took).toBeLessThan(12_000);
      expect(isAlive(pid)).toBe(false);
      expect(log().filter(({ ev }) => ev === "SIGTERM")).toHaveLength(1);
    });

    it("repeats its cursor gives one page for one request", async () => {
      const connection = await open("cursor-stuck");
      expect(await connection.listTools("end")).toMatchObject({ nextCursor: "end" });
      await connection.close();
    });
  });
});
