import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { killAll, living, signal } from "../src/process/processes.ts";
import { stdioTestServer } from "../src/server/stdio-test-server.ts";
import { initializeParams } from "./support/raw-http.ts";
import { spawnRaw } from "./support/raw-stdio.ts";
import { until, within } from "./support/within.ts";

it("a process that has stopped its servers ends by itself", async () => {
  const script = fileURLToPath(new URL("support/stops-by-itself.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script], { stdio: "pipe" });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => said.push(chunk.toString()));
  }
  const [code] = await within(once(child, "exit"), "the end of the process", 20_000);
  expect({ code, said: said.join("") }).toEqual({ code: 0, said: "stopped, with 0 sockets\n" });
});

it("stop leaves no process and no file, whatever they ignore", async () => {
  const server = stdioTestServer({
    faults: [{ fault: "ignore-eof" }, { fault: "ignore-term" }, { fault: "grandchild" }],
  });
  const control = server.args.at(-1) ?? "";
  expect(readdirSync(control).sort()).toEqual(
    ["board.json", "service.json"].concat("journal.jsonl").sort(),
  );
  const child = spawnRaw(server);
  child.write({ jsonrpc: "2.0", id: 1, method: "initialize", params: initializeParams });
  await until(() => child.messages.length === 1, "the handshake");
  child.process.stdin?.end();
  child.process.kill("SIGTERM");
  await until(() => server.processes.some(({ note }) => note === "SIGTERM"), "the signal");
  expect(server.pids).toHaveLength(2);
  await server.stop();
  expect(server.pids).toEqual([]);
  expect(await within(child.exited)).toBe("SIGKILL");
  await within(child.stdoutEnded);
  expect(existsSync(control)).toBe(false);
  expect(control.startsWith(join(tmpdir(), "mcp-testkit-"))).toBe(true);
});

describe("processes", () => {
  it("are ours only by their command line", async () => {
    const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)", "mark-of-ours"]);
    const exited = once(child, "exit");
    const { pid } = child;
    if (pid === undefined) throw new Error("no process");
    expect(living([pid, pid, process.pid], "mark-of-ours")).toEqual([pid]);
    expect(living([pid], "mark-of-others")).toEqual([]);
    await killAll(() => living([pid], "mark-of-ours"));
    await within(exited);
    expect(living([pid], "mark-of-ours")).toEqual([]);
    expect(signal(pid, "SIGKILL")).toBe(false);
  });
});
