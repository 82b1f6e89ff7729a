import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The folder that the server of this example may touch. */
export const folder = realpathSync(mkdtempSync(join(tmpdir(), "approval-")));
process.once("exit", () => rmSync(folder, { recursive: true }));
