import { defineTool } from "@x/tool-registry";
import { z } from "zod";

/** The framework's own tools: one that reads and one that does damage. */
export const prices = new Map([["tea", 350]]);

export const ownTools = [
  defineTool({
    name: "price",
    description: "What an item costs.",
    input: z.object({ item: z.string() }),
    capability: { readOnly: true },
    invoke: ({ item }) => ({ item, cents: prices.get(item) ?? null }),
  }),
  defineTool({
    name: "clear",
    description: "Forgets all prices.",
    input: z.object({}),
    capability: { destructive: true },
    invoke: () => prices.clear(),
  }),
];
