import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { MCPServerConfig } from "../src/index.ts";
import { caseHttpServer, caseServer } from "./support/case-server.ts";
import { eventually } from "./support/eventually.ts";
import { isAlive } from "./support/processes.ts";

const script = fileURLToPath(new URL("./support/parent.ts", import.meta.url));
const started: number[] = [];

afterAll(() => {
  for (const pid of started.filter(isAlive)) process.kill(pid, "SIGKILL");
});

interface Parent {
  readonly process: ChildProcess;
  readonly server: number;
  readonly lines: string[];
  readonly ended: Promise<{ code: number | null; signal: string | null }>;
}

/** A parent in a group of its own, as a shell would start it. */
async function startParent(how: string, ...configs: MCPServerConfig[]): Promise<Parent> {
  const child = spawn(
    process.execPath,
    ["--import", "tsx", "--conditions=@x/source", script, how, JSON.stringify(configs)],
    { stdio: ["ignore", "pipe", "pipe"], detached: true },
  );
  const lines: string[] = [];
  child.stderr.on("data", (chunk) => lines.push(String(chunk)));
  const output = createInterface({ input: child.stdout });
  const ended = once(child, "exit").then(([code, signal]) => ({ code, signal }));
  const server = await new Promise<number>((resolve, reject) => {
    output.on("line", (line) => {
      lines.push(line);
      const pid = /^OPEN (\d+)$/.exec(line)?.[1];
      if (pid !== undefined) resolve(Number(pid));
    });
    void ended.then(() => reject(new Error(`the parent ended: ${lines.join("\n")}`)));
  });
  if (server > 0) started.push(server);
  started.push(child.pid ?? 0);
  return { process: child, server, lines, ended };
}

function signalGroup({ process: parent }: Parent, signal: NodeJS.Signals): void {
  process.kill(-(parent.pid ?? 0), signal);
}

/** The server has been killed by then; how long it takes to die is the system's affair. */
function gone({ server }: Parent): Promise<void> {
  return eventually(() => expect(isAlive(server)).toBe(false));
}

// Its server ignores the end of its input, and TERM.
const deaf = () => caseServer("ignores-sigterm").config;

describe.concurrent("a server that ignores everything does not outlive its client", () => {
  it.for(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
    "on %s, of which the client dies",
    async (signal) => {
      const parent = await startParent("waits", deaf());
      signalGroup(parent, signal);
      expect(await parent.ended).toEqual({ code: null, signal });
      await gone(parent);
    },
  );

  it("on a second signal, which is not made to wait", async () => {
    const parent = await startParent("signals itself", deaf());
    // Had the second waited for the first, it would have died of that.
    expect(await parent.ended).toEqual({ code: null, signal: "SIGTERM" });
    await gone(parent);
  });

  it("on process.exit", async () => {
    const parent = await startParent("exits", deaf());
    expect(await parent.ended).toEqual({ code: 3, signal: null });
    await gone(parent);
  });

  it("on an exception that nobody catches", async () => {
    const parent = await startParent("throws", deaf());
    expect(await parent.ended).toEqual({ code: 1, signal: null });
    expect(parent.lines.join()).toContain("nobody catches this");
    await gone(parent);
  });
});

describe.concurrent("a client", () => {
  it("that listens to the signal itself lives on; its server is ended", async () => {
    const parent = await startParent("listens", deaf());
    signalGroup(parent, "SIGTERM");
    await eventually(() => expect(parent.lines).toContain("ended by SIGKILL"));
    expect(parent.lines).toContain("own SIGTERM");
    await gone(parent);
    // Without a server nothing keeps it.
    expect(await parent.ended).toEqual({ code: 0, signal: null });
  });

  it("with killOnSignal: false dies of the signal alone", async () => {
    const parent = await startParent("waits", { ...deaf(), killOnSignal: false });
    signalGroup(parent, "SIGTERM");
    expect(await parent.ended).toEqual({ code: null, signal: "SIGTERM" });
    expect(isAlive(parent.server)).toBe(true);
    process.kill(parent.server, "SIGKILL");
  });

  it("ends by itself once its connections are closed, over stdio, HTTP and SSE", async ({
    expect,
  }) => {
    const [http, sse] = await Promise.all([caseHttpServer("get-404"), caseHttpServer("sse-only")]);
    const parent = await startParent(
      "closes",
      caseServer("crlf").config,
      { name: "http", url: http.url },
      { name: "sse", url: sse.url },
    );
    const start = performance.now();
    expect(await parent.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(parent.lines).toContain("CLOSED");
    expect(isAlive(parent.server)).toBe(false);
  });
});
