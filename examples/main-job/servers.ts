import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everything, filesystem, memory, startEverything } from "@x/test-servers";

/** The servers of this example, and how to end what was started for it. */
export async function startServers() {
  const folder = mkdtempSync(join(tmpdir(), "main-job-"));
  writeFileSync(join(folder, "hello.txt"), "Hello from a real file.\n");
  const [sse, http] = await Promise.all([
    startEverything("sse"),
    startEverything("streamableHttp"),
  ]);
  return {
    folder,
    listeners: [sse, http],
    configs: [
      { name: "everything", ...everything() },
      { name: "everything-sse", transport: "sse", url: sse.url },
      { name: "everything-http", transport: "streamable-http", url: http.url },
      { name: "files", ...filesystem(folder) },
      { name: "memory", ...memory(join(folder, "graph.json")) },
    ] as const,
    async stop() {
      await Promise.all([sse.stop(), http.stop()]);
      rmSync(folder, { recursive: true });
    },
  };
}
