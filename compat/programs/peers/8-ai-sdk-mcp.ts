import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createMCPClient } from "@ai-sdk/mcp";
import { Experimental_StdioMCPTransport } from "@ai-sdk/mcp/mcp-stdio";
import { files, folder } from "../servers.ts";

const [yes, no] = [join(folder, "yes.txt"), join(folder, "no.txt")];
const client = await createMCPClient({ transport: new Experimental_StdioMCPTransport(files) });
try {
  const listed = await client.listTools();
  const tools = client.toolsFromDefinitions(listed);
  for (const { name, annotations } of listed.tools) {
    const tool = tools[name];
    const run = tool?.execute;
    if (tool === undefined || run === undefined || annotations?.readOnlyHint === true) continue;
    const execute = async (...call: Parameters<typeof run>) => {
      const { path } = Object(call[0]);
      console.log(`may ${name} write ${path}?`);
      if (path === yes) return run(...call);
      return { isError: true, content: [{ type: "text", text: "denied: the user says no" }] };
    };
    Object.assign(tool, { execute });
  }
  const options = { toolCallId: "1", messages: [] };
  const denied = await tools["write_file"]?.execute?.({ path: no, content: "" }, options);
  assert(denied && "isError" in denied && denied.isError === true);
  await tools["write_file"]?.execute?.({ path: yes, content: "" }, options);
  await tools["list_directory"]?.execute?.({ path: folder }, options);
  assert(existsSync(yes) && !existsSync(no));
} finally {
  await client.close();
}
