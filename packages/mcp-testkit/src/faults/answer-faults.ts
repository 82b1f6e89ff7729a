import type { FaultEntries, NoParameters } from "./entry.ts";

export interface AnswerFaults {
  silence: NoParameters;
  "half-open": NoParameters;
  delay: { readonly ms?: number };
  "endless-progress": { readonly everyMs?: number };
  "rpc-error": { readonly code?: number; readonly message?: string; readonly data?: unknown };
  "malformed-result": { readonly result?: unknown };
  "empty-result": NoParameters;
  "wrong-version": { readonly version?: string };
  duplicate: NoParameters;
  "wrong-id": { readonly id?: unknown };
  "string-id": NoParameters;
  "out-of-order": { readonly count?: number; readonly ms?: number };
  huge: { readonly bytes?: number };
  "list-changed-storm": { readonly count?: number };
  "server-ping": NoParameters;
  "ignore-cancelled": NoParameters;
}

const everywhere = ["stdio", "http", "sse"] as const;

export const answerFaults: FaultEntries<AnswerFaults> = {
  silence: {
    says: "The request is never answered; the connection stays open and other requests are answered.",
    on: everywhere,
    when: ["before", "after"],
    ends: true,
    parameters: {},
  },
  "half-open": {
    says: "From this request on the session (on stdio: the process) answers nothing, not even ping, and closes nothing, until the fault is switched off. New sessions work.",
    on: everywhere,
    when: ["before", "after"],
    ends: true,
    parameters: {},
  },
  delay: {
    says: "The server waits.",
    on: everywhere,
    when: ["before", "after"],
    parameters: { ms: { default: 1000, says: "how long, in ms" } },
  },
  "endless-progress": {
    says: "Progress is reported for ever and the answer never comes. Cancelling ends it.",
    on: everywhere,
    when: ["before", "after"],
    ends: true,
    parameters: { everyMs: { default: 20, says: "ms between two reports" } },
  },
  "rpc-error": {
    says: "The answer is a JSON-RPC error.",
    on: everywhere,
    when: ["before", "after"],
    parameters: {
      code: { default: -32_000, says: "error code" },
      message: { default: "injected fault", says: "error message" },
      data: { default: null, says: "error data; null sends none", any: true },
    },
  },
  "malformed-result": {
    says: "The result is replaced.",
    on: everywhere,
    when: ["answering"],
    parameters: { result: { default: "no object", says: "the result instead", any: true } },
  },
  "empty-result": {
    says: "The result is `{}`.",
    on: everywhere,
    when: ["answering"],
    parameters: {},
  },
  "wrong-version": {
    says: "`initialize` is answered with a protocol version that the client did not offer.",
    on: everywhere,
    when: ["answering"],
    parameters: { version: { default: "2099-01-01", says: "the version" } },
  },
  duplicate: {
    says: "The answer is sent twice.",
    on: everywhere,
    when: ["answering"],
    parameters: {},
  },
  "wrong-id": {
    says: "The answer bears an id that was never sent.",
    on: everywhere,
    when: ["answering"],
    parameters: { id: { default: 999_999_999, says: "the id instead", any: true } },
  },
  "string-id": {
    says: "The answer bears the id as a string.",
    on: everywhere,
    when: ["answering"],
    parameters: {},
  },
  "out-of-order": {
    says: "Answers are held back and then sent, the last one first.",
    on: everywhere,
    when: ["answering"],
    parameters: {
      count: { default: 2, says: "how many are held at most" },
      ms: { default: 200, says: "how long the first is held at most, in ms" },
    },
  },
  huge: {
    says: "The result is made big by `_meta.padding`: a long line on stdio, a big body or event over HTTP.",
    on: everywhere,
    when: ["answering"],
    parameters: { bytes: { default: 50_000_000, says: "length of the padding" } },
  },
  "list-changed-storm": {
    says: "`notifications/tools/list_changed` is sent many times.",
    on: everywhere,
    when: ["before", "after"],
    parameters: { count: { default: 100, says: "how many times" } },
  },
  "server-ping": {
    says: "The server pings the client and goes on only when that is answered.",
    on: everywhere,
    when: ["before", "after"],
    parameters: {},
  },
  "ignore-cancelled": {
    says: "`notifications/cancelled` is noted and ignored: the tool runs on and its answer is sent.",
    on: everywhere,
    when: ["cancel"],
    parameters: {},
  },
};
