import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { everything, filesystem, memory } from "@x/test-servers";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "three-servers-")));
process.once("exit", () => rmSync(folder, { recursive: true }));

/** Where this example's servers are. */
export const env = {
  NODE: process.execPath,
  EVERYTHING: everything().args[0],
  FILESYSTEM: filesystem(folder).args[0],
  MEMORY: memory(join(folder, "graph.json")).args[0],
  FOLDER: folder,
};
