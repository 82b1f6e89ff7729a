import { stdio, text, tool } from "./_lib.mjs";

process.stdout.write("\r\n");
stdio({ tools: [tool("a")], call: () => text("crlf ok") }, { eol: "\r\n\r\n" });
