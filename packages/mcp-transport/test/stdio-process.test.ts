import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import {
  type CreateTransportOptions,
  createTransport,
  type MCPConnection,
  type StdioServerConfig,
  StdioTransport,
} from "../src/index.ts";
import { caseServer, temporaryFolder } from "./support/case-server.ts";
import { eventually } from "./support/eventually.ts";
import { failure } from "./support/failure.ts";
import { isAlive, processesWith } from "./support/processes.ts";

const mib = 1024 * 1024;

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  async function open(
    config: Partial<StdioServerConfig> = {},
    options: CreateTransportOptions = {},
  ): Promise<MCPConnection> {
    return new StdioTransport(
      { ...caseServer("workshop").config, ...config },
      { engine, ...options },
    ).open();
  }

  async function textOf(call: Promise<Record<string, unknown>>): Promise<string> {
    const { content } = await call;
    return String((content as { text?: string }[])[0]?.text);
  }

  describe("the environment of the process", () => {
    async function surroundings(config: Partial<StdioServerConfig>) {
      const connection = await open(config);
      const seen = JSON.parse(await textOf(connection.callTool("surroundings", {})));
      await connection.close();
      return seen as { env: Record<string, string>; cwd: string; argv: string[] };
    }

    it("holds only what every program needs and what the config gives", async () => {
      process.env["TRANSPORT_TEST_SECRET"] = "not for servers";
      const folder = temporaryFolder();
      const { args } = caseServer("workshop").config;
      const { env, cwd, argv } = await surroundings({
        env: { GIVEN: "a\nb" },
        cwd: folder,
        args: [...args, "a b", "$HOME", "; echo", "*"],
      });
      const known = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER", "GIVEN"];
      expect(Object.keys(env).filter((name) => !known.includes(name))).toEqual([]);
      expect(env).toMatchObject({ GIVEN: "a\nb", PATH: process.env["PATH"] });
      expect(cwd).toBe(folder);
      // No shell has touched them.
      expect(argv).toEqual(["a b", "$HOME", "; echo", "*"]);
    });

    it("inherits what it is told to", async () => {
      process.env["TRANSPORT_TEST_SECRET"] = "for this server";
      const named = await surroundings({ inheritEnv: ["TRANSPORT_TEST_SECRET", "NOT_SET"] });
      expect(named.env["TRANSPORT_TEST_SECRET"]).toBe("for this server");
      expect(named.env).not.toHaveProperty("NOT_SET");
      const all = await surroundings({ inheritEnv: true, env: { TRANSPORT_TEST_SECRET: "given" } });
      expect(all.env["TRANSPORT_TEST_SECRET"]).toBe("given");
      expect(Object.keys(all.env).length).toBeGreaterThanOrEqual(Object.keys(process.env).length);
    });
  });

  describe("no listener", () => {
    it("stays on this process, whatever became of the child", async () => {
      const events = ["exit", "SIGINT", "SIGTERM", "SIGHUP"];
      const counts = () => events.map((event) => process.listenerCount(event));
      const before = counts();
      const connection = await open();
      expect(counts()).toEqual(before.map((count) => count + 1));
      const quiet = await open({ killOnSignal: false });
      expect(counts()).toEqual(before.map((count) => count + 1));
      await connection.close();
      expect(counts()).toEqual(before.map((count, index) => (index === 0 ? count + 1 : count)));
      await quiet.close();
      expect(counts()).toEqual(before);
      // Its orphan may stay a zombie where nobody buries it.
      const dying = await open();
      await dying.callTool("helper", {});
      await failure(dying.callTool("exit", {}));
      await dying.close();
      await failure(
        new StdioTransport({ name: "x", command: "no-such-command-x" }, { engine }).open(),
      );
      expect(counts()).toEqual(before);
    });
  });

  describe("a command that cannot be started", () => {
    const folder = temporaryFolder();
    const file = join(folder, "file");
    writeFileSync(file, "#!/no/such/interpreter\n");
    const script = join(folder, "script");
    writeFileSync(script, "#!/no/such/interpreter\n");
    chmodSync(script, 0o755);
    mkdirSync(join(folder, "sub"));

    it.each<[config: Partial<StdioServerConfig>, says: string]>([
      [{ command: "no-such-command-x" }, "the command no-such-command-x was not found in PATH"],
      [{ command: "/no/such/command" }, "the command /no/such/command was not found"],
      [{ command: "./nothing", cwd: folder }, "the command ./nothing was not found"],
      [
        { command: process.execPath, cwd: "/no/such/folder" },
        "the working directory /no/such/folder does not exist",
      ],
      [
        { command: "no-such-command-x", cwd: "/no/such/folder" },
        "the working directory /no/such/folder does not exist",
      ],
      [
        { command: process.execPath, cwd: file },
        `the working directory ${file} is not a directory`,
      ],
      [{ command: file }, `the command ${file} is not executable`],
      [{ command: folder }, `the command ${folder} is a directory`],
      [{ command: "./sub", cwd: folder }, "the command ./sub is a directory"],
      [{ command: script }, `the command ${script} names an interpreter that does not exist`],
    ])("%j", async (config, says) => {
      const transport = new StdioTransport(
        { name: "broken", command: "x", args: ["a"], ...config },
        { engine },
      );
      const error = await failure(transport.open());
      expect(error).toMatchObject({ code: "spawn", delivery: "not_sent" });
      expect(error.message).toContain(`broken (${config.command} with 1 argument): ${says}`);
    });

    it("because of more arguments than the system takes", async () => {
      const transport = new StdioTransport(
        {
          name: "s",
          command: "node",
          args: ["x".repeat(200_000)],
        },
        { engine },
      );
      const error = await failure(transport.open());
      expect(error).toMatchObject({ code: "spawn", delivery: "not_sent" });
      expect(error.message).toBe("s (node with 1 argument): could not be started: E2BIG");
    });

    it("can be tried again", async () => {
      const { config } = caseServer("workshop");
      const path = join(folder, "later");
      const transport = new StdioTransport({ ...config, command: path, args: [] }, { engine });
      expect(await failure(transport.open())).toMatchObject({ code: "spawn" });
      writeFileSync(path, `#!/bin/sh\nexec "${config.command}" "${config.args[0]}"\n`, {
        mode: 0o755,
      });
      const connection = await transport.open();
      expect(connection.info.server.name).toBe("case");
      await connection.close();
    });

    it("has the proxy variables named that were not passed on", async () => {
      process.env["HTTPS_PROXY"] = "http://user:planted-password@proxy:1";
      const { config } = caseServer("workshop", { EXIT_AT_ONCE: "4" });
      const hint = "HTTPS_PROXY of this process were not passed on; see inheritEnv";
      for (const given of [config, { name: "x", command: "no-such-command-x" }]) {
        const error = await failure(new StdioTransport(given, { engine }).open());
        expect(error.message).toContain(hint);
        expect(error.message).not.toContain("planted-password");
      }
      const passed = await failure(
        new StdioTransport({ ...config, inheritEnv: ["HTTPS_PROXY"] }, { engine }).open(),
      );
      delete process.env["HTTPS_PROXY"];
      expect(passed).toMatchObject({ code: "exited" });
      expect(passed.message).not.toContain("inheritEnv");
    });
  });

  describe.concurrent("a program that is no MCP server", () => {
    it("exits: its code, what it printed, and the end of its stderr", async () => {
      const transport = createTransport(
        {
          name: "odd",
          command: process.execPath,
          args: [
            "-e",
            "console.log('<html>hello'); console.error('fatal: no licence'); process.exit(7)",
          ],
        },
        { engine },
      );
      const error = await failure(transport.open());
      expect(error).toMatchObject({
        code: "exited",
        exitCode: 7,
        stderrTail: "fatal: no licence\n",
      });
      expect(error.message).toContain("odd (");
      expect(error.message).toContain(
        "with 2 arguments): exited with 7; its stderr ends: fatal: no licence",
      );
      expect(error.message).toContain('"<html>hello"');
    });

    it("exits with 0 and no word", async () => {
      const config = { name: "true", command: process.execPath, args: ["-e", ""] };
      expect(await failure(new StdioTransport(config, { engine }).open())).toMatchObject({
        code: "exited",
        exitCode: 0,
      });
    });

    it("prints for ever: given up at the deadline, ended with all it started", async () => {
      const marker = `printer-${process.pid}`;
      const code = `setInterval(() => console.log("tick ${marker}"), 10)`;
      const config = { name: "clock", command: process.execPath, args: ["-e", code] };
      const error = await failure(new StdioTransport(config, { engine }).open({ timeoutMs: 400 }));
      expect(error).toMatchObject({ code: "timeout" });
      expect(error.message).toContain("no JSON-RPC message");
      expect(processesWith(marker)).toEqual([]);
    });

    it("echoes what it is sent: its own request is no answer", async () => {
      const config = { name: "cat", command: "cat" };
      const error = await failure(
        new StdioTransport(config, { engine }).open({ timeoutMs: 5_000 }),
      );
      // It hears our refusal of its "request" as the answer to ours.
      expect(error).toMatchObject({ code: "rpc", rpcCode: -32601 });
    });
  });

  describe.concurrent("what the process does to the calls in flight", () => {
    it.each<[tool: string, args: object, expected: object]>([
      ["exit", { code: 0 }, { code: "exited", exitCode: 0 }],
      ["exit", { code: 9, last: "out of paper" }, { exitCode: 9, stderrTail: "out of paper" }],
      ["kill", { signal: "SIGKILL" }, { code: "exited", exitSignal: "SIGKILL" }],
      ["kill", { signal: "SIGSEGV" }, { code: "exited", exitSignal: "SIGSEGV" }],
      ["closeStdout", {}, { code: "closed" }],
    ])("%s %j rejects them at once", async (tool, args, expected) => {
      const connection = await open();
      const start = performance.now();
      const waiting = [
        failure(connection.callTool(tool, args as never)),
        failure(connection.callTool("deaf", {})),
      ];
      for (const error of await Promise.all(waiting)) {
        expect(error).toMatchObject({ ...expected, delivery: "unknown" });
      }
      expect(performance.now() - start).toBeLessThan(10_000);
      await connection.close();
      expect(isAlive(connection.info.pid ?? 0)).toBe(false);
    });

    it("an answer written right before the exit is an answer", async () => {
      const connection = await open();
      expect(await textOf(connection.callTool("answerAndExit", {}))).toBe("last words");
      await connection.close();
    });

    it("exits while a helper holds its stdout: rejected at once, and the helper is ended", async () => {
      const connection = await open();
      const helper = Number(await textOf(connection.callTool("helper", {})));
      const ended = new Promise((resolve) => connection.onClose(resolve));
      const start = performance.now();
      const error = await failure(connection.callTool("exit", { code: 5 }));
      expect(error).toMatchObject({ code: "exited", exitCode: 5 });
      expect(performance.now() - start).toBeLessThan(10_000);
      await ended;
      await connection.close();
      expect(isAlive(helper)).toBe(false);
    });

    it("stops reading: what it was not given yet was not sent", async () => {
      const connection = await open();
      void connection.callTool("deaf", {}).catch(() => {});
      await sleep(100);
      const big = "x".repeat(mib);
      const controller = new AbortController();
      const { signal } = controller;
      const first = failure(connection.callTool("echo", { big }, { signal }));
      const queued = failure(connection.callTool("echo", { big }, { signal }));
      const late = failure(connection.callTool("echo", { big }, { timeoutMs: 100 }));
      expect(await late).toMatchObject({ code: "timeout", delivery: "not_sent" });
      controller.abort();
      expect(await first).toMatchObject({ code: "aborted", delivery: "unknown" });
      expect(await queued).toMatchObject({ code: "aborted", delivery: "not_sent" });
      const last = failure(connection.callTool("echo", { big }));
      await sleep(10);
      await connection.close();
      expect(await last).toMatchObject({ code: "closed", delivery: "not_sent" });
    });
  });

  describe.concurrent("nothing is left running", () => {
    it("after close: grandchildren are ended too, behind a wrapper and deaf to TERM", async () => {
      const { config, log } = caseServer("workshop");
      const script = `"${config.command}" "${config.args[0]}"; true`;
      const wrapped = await new StdioTransport(
        {
          ...config,
          command: "sh",
          args: ["-c", script],
        },
        { engine },
      ).open();
      const gentle = Number(await textOf(wrapped.callTool("helper", {})));
      const deaf = Number(await textOf(wrapped.callTool("helper", { ignoresTerm: true })));
      const server = log()[0]?.pid ?? 0;
      expect([gentle, deaf, server, wrapped.info.pid ?? 0].map(isAlive)).toEqual([
        true,
        true,
        true,
        true,
      ]);
      expect(server).not.toBe(wrapped.info.pid);
      await wrapped.close();
      expect([gentle, deaf, server, wrapped.info.pid ?? 0].map(isAlive)).toEqual([
        false,
        false,
        false,
        false,
      ]);
    });

    it("after an opening that was aborted before anything was started", async () => {
      const { config, log } = caseServer("silent-init");
      const controller = new AbortController();
      const opening = failure(
        new StdioTransport(config, { engine }).open({ signal: controller.signal }),
      );
      controller.abort();
      expect(await opening).toMatchObject({ code: "aborted" });
      await sleep(300);
      expect(processesWith(config.env["CASE_LOG"] ?? "")).toEqual([]);
      expect(log()).toEqual([]);
    });

    it("after an aborted opening", async () => {
      const { config, log } = caseServer("silent-init");
      const error = failure(
        new StdioTransport(config, { engine }).open({ signal: AbortSignal.timeout(300) }),
      );
      expect(await error).toMatchObject({ code: "aborted" });
      expect(isAlive(log()[0]?.pid ?? 0)).toBe(false);
    });
  });

  describe.concurrent("lines", () => {
    it("of 50 MB are read in well under the time the SDK takes", async () => {
      const connection = await open();
      const start = performance.now();
      const text = await textOf(connection.callTool("line", { bytes: 50 * mib }));
      expect(performance.now() - start).toBeLessThan(18_000);
      expect(text.length).toBe(50 * mib);
      await connection.close();
    });

    it.each([true, false])(
      "over the limit fail the call they answer, id first: %s",
      async (first) => {
        const connection = await open({}, { maxMessageBytes: 10_000 });
        const fine = connection.callTool("echo", { a: 1 });
        const error = await failure(connection.callTool("line", { bytes: 20_000, first }));
        expect(error).toMatchObject({ code: "limit", delivery: "unknown" });
        expect(error.message).toContain("maxMessageBytes (10000)");
        expect(await textOf(fine)).toBe('{"a":1}');
        expect(await textOf(connection.callTool("line", { bytes: 9_000 }))).toHaveLength(9_000);
        await connection.close();
      },
    );

    it.each(["anonymous", "endless"])(
      "over the limit of which none can tell whose they are end it, %s",
      async (tool) => {
        const connection = await open({}, { maxMessageBytes: 10_000 });
        expect(await failure(connection.callTool(tool, { bytes: 50_000 }))).toMatchObject({
          code: "limit",
        });
        await connection.close();
        expect(isAlive(connection.info.pid ?? 0)).toBe(false);
      },
    );

    it.each(["glued", "bom"])("with text around an answer are understood, %s", async (tool) => {
      const connection = await open();
      expect(await textOf(connection.callTool(tool, {}))).toBe(tool);
      await connection.close();
    });

    it("carry 300 calls at a time", async () => {
      const connection = await open();
      const calls = Array.from({ length: 300 }, (_, n) =>
        textOf(connection.callTool("echo", { n })),
      );
      expect(await Promise.all(calls)).toEqual(calls.map((_, n) => `{"n":${n}}`));
      await connection.close();
    });
  });

  describe.concurrent("stderr", () => {
    it("is handed on as it comes, with secrets hidden even where they are cut", async () => {
      const secret = "planted-secret-1";
      const heard: string[] = [];
      const { config } = caseServer("workshop", { TOKEN: secret });
      const connection = await new StdioTransport(config, { engine }).open({
        onStderr: (text) => heard.push(text),
      });
      await connection.callTool("stderr", { said: "a planted-sec" });
      await eventually(() => expect(heard.join("")).toBe("a "));
      await connection.callTool("stderr", { said: "ret-1 b planted" });
      await eventually(() => expect(heard.join("")).toBe("a *** b "));
      await connection.close();
      expect(heard.join("")).toBe("a *** b planted");
    });
  });
});
