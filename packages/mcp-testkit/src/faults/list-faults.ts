import type { FaultEntries, NoParameters } from "./entry.ts";

export interface ListFaults {
  "cursor-stuck": NoParameters;
  "page-error": { readonly page?: number; readonly code?: number; readonly message?: string };
  "endless-pages": NoParameters;
  "duplicate-names": NoParameters;
  "malformed-items": { readonly items?: readonly unknown[] };
}

const everywhere = ["stdio", "http", "sse"] as const;

export const listFaults: FaultEntries<ListFaults> = {
  "cursor-stuck": {
    says: "The same page and the same cursor come again and again.",
    on: everywhere,
    when: ["list"],
    parameters: {},
  },
  "page-error": {
    says: "A page is answered with an error; the page before it is made to have a cursor.",
    on: everywhere,
    when: ["list"],
    parameters: {
      page: { default: 2, says: "which page, counted from 1" },
      code: { default: -32_603, says: "error code" },
      message: { default: "catalogue offline", says: "error message" },
    },
  },
  "endless-pages": {
    says: "Every page has one new item and a new cursor.",
    on: everywhere,
    when: ["list"],
    parameters: {},
  },
  "duplicate-names": {
    says: "The first item of the page comes twice, the second time with another description.",
    on: everywhere,
    when: ["list"],
    parameters: {},
  },
  "malformed-items": {
    says: "Items that break the schema stand before the others.",
    on: everywhere,
    when: ["list"],
    parameters: {
      items: {
        default: [
          null,
          "text",
          { name: 7, inputSchema: { type: "object" } },
          { name: "no_schema" },
          { name: "null_schema", inputSchema: null },
          { name: "string_schema", inputSchema: { type: "string" } },
          { name: "", inputSchema: { type: "object" } },
        ],
        says: "the items",
        any: true,
      },
    },
  },
};
