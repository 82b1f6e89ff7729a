import { defineTool, type ToolSpec } from "@x/tool-registry";
import { z } from "zod";

/** Tools over a list of notes: two described by zod, two by plain JSON Schema. */
export function noteTools(notes: string[]): ToolSpec[] {
  const search = defineTool({
    name: "search",
    description: "Finds notes that hold a word.",
    input: z.object({ word: z.string().min(2), limit: z.number().int().positive().default(10) }),
    capability: { readOnly: true },
    invoke: ({ word, limit }) => {
      const found = notes.filter((note) => note.toLowerCase().includes(word.toLowerCase()));
      return { found: found.slice(0, limit) };
    },
  });

  const add = defineTool({
    name: "add",
    description: "Adds a note.",
    input: z.object({ text: z.string().min(1) }),
    capability: { writes: true, destructive: false },
    invoke: ({ text }) => `note ${notes.push(text)} added`,
  });

  const count = defineTool({
    name: "count",
    description: "Counts the notes.",
    inputSchema: { type: "object", properties: {}, additionalProperties: false },
    invoke: () => ({ count: notes.length }),
  });

  const remove = defineTool({
    name: "remove",
    description: "Removes a note.",
    inputSchema: {
      type: "object",
      properties: { number: { type: "integer", minimum: 1 } },
      required: ["number"],
    },
    capability: { writes: true },
    validate: ({ number }) =>
      Number.isInteger(number)
        ? { ok: true }
        : { ok: false, issues: [{ path: "/number", message: "must be a whole number" }] },
    invoke: ({ number }) => {
      const [note] = notes.splice(Number(number) - 1, 1);
      if (note === undefined) throw new Error(`there is no note ${number}`);
      return `removed: ${note}`;
    },
  });

  return [search, add, count, remove];
}
