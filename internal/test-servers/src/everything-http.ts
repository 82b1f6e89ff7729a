import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { binOf } from "./command.ts";

export interface RunningServer {
  readonly url: string;
  /** Where it really listens, as the server's own socket reports it. */
  readonly address: string;
  readonly port: number;
  readonly pid: number;
  /** Kills the process and waits for its end. */
  stop(): Promise<void>;
}

const paths = { sse: "/sse", streamableHttp: "/mcp" };

/**
 * Starts server-everything over HTTP, bound to 127.0.0.1.
 * @param port 0 takes a free one
 * @throws if it ends, or does not listen within 15 s, or listens anywhere but on loopback
 */
export async function startEverything(
  mode: "sse" | "streamableHttp",
  port = 0,
): Promise<RunningServer> {
  const preload = new URL("../preload/loopback.mjs", import.meta.url).href;
  const child = spawn(
    process.execPath,
    ["--import", preload, binOf("@modelcontextprotocol/server-everything"), mode],
    {
      cwd: fileURLToPath(new URL("..", import.meta.url)),
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  const onExit = () => child.kill("SIGKILL");
  process.once("exit", onExit);
  child.once("exit", () => process.off("exit", onExit));
  try {
    const { address, port: bound } = await listening(child.stderr);
    if (address !== "127.0.0.1") throw new Error(`server-everything listens on ${address}`);
    if (child.pid === undefined) throw new Error("server-everything has no pid");
    return {
      url: `http://127.0.0.1:${bound}${paths[mode]}`,
      address,
      port: bound,
      pid: child.pid,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function listening(
  stderr: NodeJS.ReadableStream,
): Promise<{ address: string; port: number }> {
  const lines = createInterface({ input: stderr });
  const tail: string[] = [];
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not listening: ${tail.join("\n")}`)), 15_000);
    lines.on("line", (line) => {
      if (tail.push(line) > 20) tail.shift();
      if (!line.startsWith("LISTENING ")) return;
      clearTimeout(timer);
      resolve(JSON.parse(line.slice("LISTENING ".length)));
    });
    lines.on("close", () => {
      clearTimeout(timer);
      reject(new Error(`server-everything ended: ${tail.join("\n")}`));
    });
  });
}
