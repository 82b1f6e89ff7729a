import type { FaultEntries, NoParameters } from "./entry.ts";

export interface ByteFaults {
  garbage: { readonly lines?: number; readonly text?: string };
  banner: { readonly text?: string };
  crlf: NoParameters;
  "split-utf8": NoParameters;
  truncated: NoParameters;
  endless: NoParameters;
}

const everywhere = ["stdio", "http", "sse"] as const;

export const byteFaults: FaultEntries<ByteFaults> = {
  garbage: {
    says: "Lines (events, over SSE) that are no JSON come before the answer; with `start`, before anything else.",
    on: everywhere,
    when: ["answering", "start"],
    parameters: {
      lines: { default: 3, says: "how many" },
      text: { default: "[info] Starting up {", says: "each of them" },
    },
  },
  banner: {
    says: "Text stands before the answer, on the same line.",
    on: everywhere,
    when: ["answering"],
    parameters: { text: { default: "Ready. ", says: "the text" } },
  },
  crlf: {
    says: "Lines end with CR LF (those of event streams too).",
    on: everywhere,
    when: ["answering"],
    parameters: {},
  },
  "split-utf8": {
    says: "The result gets characters of 2, 3 and 4 bytes in `_meta.letters`, and the answer is written in pieces that end inside of them.",
    on: everywhere,
    when: ["answering"],
    parameters: {},
  },
  truncated: {
    says: "The JSON of the answer is cut in the middle; its line, event or body ends properly.",
    on: everywhere,
    when: ["answering"],
    parameters: {},
  },
  endless: {
    says: "Instead of the answer comes one line, event or body that never ends, 64 kB at a time.",
    on: everywhere,
    when: ["answering"],
    ends: true,
    parameters: {},
  },
};
