import { fail, stdio, text, tool } from "./_lib.mjs";

stdio({
  tools: [tool("pages")],
  call: (_n, a) => {
    if (a === null || typeof a !== "object" || Array.isArray(a))
      throw fail(
        -32602,
        `Invalid arguments: expected object, received ${a === null ? "null" : typeof a}`,
      );
    return text(`args ${JSON.stringify(a)}`);
  },
});
