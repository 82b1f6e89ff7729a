import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connectServers } from "@x/mcp-adapter";
import { filesystem } from "@x/test-servers";
import { requireApproval, resultText, ToolRegistry } from "@x/tool-registry";
import { folder } from "./folder.ts";

const answers = ["no", "yes"];
const registry = new ToolRegistry().use(
  requireApproval(({ tool, args }) => {
    console.log(`may ${tool.id} write ${args["path"]}? ${answers[0]}`);
    return answers.shift() === "yes";
  }),
);
const hub = await connectServers([{ name: "files", ...filesystem(folder) }], { registry });
const note = { path: join(folder, "note.txt"), content: "Buy milk" };
const denied = await registry.invoke("files/write_file", note);
assert(denied.errorCode === "denied" && denied.ran === "no" && !existsSync(note.path));
assert((await registry.invoke("files/write_file", note)).success);
const read = await registry.invoke("files/read_text_file", { path: note.path }); // nobody is asked
assert.equal(resultText(read), "Buy milk");
await hub.close();
