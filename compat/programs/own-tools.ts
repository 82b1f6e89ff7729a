import { type StructuredTool, tool } from "langchain";
import { z } from "zod";

/** The tools of `examples/embed-registry`, for a peer. */
export const prices = new Map([["tea", 350]]);

export const ownTools: StructuredTool[] = [
  tool(({ item }) => JSON.stringify({ item, cents: prices.get(item) ?? null }), {
    name: "price",
    description: "What an item costs.",
    schema: z.object({ item: z.string() }),
    metadata: { destructive: false },
  }),
  tool(() => prices.clear(), {
    name: "clear",
    description: "Forgets all prices.",
    schema: z.object({}),
    metadata: { destructive: true },
  }),
];

/** Stands in for a model: its first call is cut off, as long answers are. */
export const calls = [
  { name: "price", arguments: '{"item":"te' },
  { name: "price", arguments: '{"item":"tea"}' },
  { name: "clear", arguments: "" },
];
