import type { FaultEntries, NoParameters } from "./entry.ts";

export interface ProcessFaults {
  exit: { readonly code?: number; readonly stderr?: string };
  crash: NoParameters;
  "close-stdout": NoParameters;
  "ignore-eof": { readonly ms?: number };
  "ignore-term": NoParameters;
  grandchild: { readonly ms?: number; readonly ignoreTerm?: boolean };
  "slow-start": { readonly ms?: number };
  "stderr-flood": { readonly bytes?: number };
}

export const processFaults: FaultEntries<ProcessFaults> = {
  exit: {
    says: "The process exits. A server inside your own process goes down instead: sockets closed, port refused, sessions forgotten.",
    on: ["stdio", "http", "sse"],
    when: ["before", "after", "answering", "start"],
    ends: true,
    parameters: {
      code: { default: 0, says: "exit code" },
      stderr: { default: "", says: "last words on stderr" },
    },
  },
  crash: {
    says: "The process kills itself with SIGKILL. A server inside your own process goes down instead, its sockets reset.",
    on: ["stdio", "http", "sse"],
    when: ["before", "after", "answering", "start"],
    ends: true,
    parameters: {},
  },
  "close-stdout": {
    says: "Stdout is closed, the process lives on and reads stdin.",
    on: ["stdio"],
    when: ["before", "after", "answering", "start"],
    ends: true,
    parameters: {},
  },
  "ignore-eof": {
    says: "The process lives on after the end of stdin, then exits 0.",
    on: ["stdio"],
    when: ["eof"],
    parameters: { ms: { default: 60_000, says: "how long, in ms" } },
  },
  "ignore-term": {
    says: "SIGTERM, SIGINT and SIGHUP are noted and ignored.",
    on: ["stdio"],
    when: ["signal"],
    parameters: {},
  },
  grandchild: {
    says: "The process starts a child of its own that holds stdin, stdout and stderr.",
    on: ["stdio"],
    when: ["start"],
    parameters: {
      ms: { default: 60_000, says: "how long it lives, in ms" },
      ignoreTerm: { default: false, says: "it ignores SIGTERM, SIGINT and SIGHUP" },
    },
  },
  "slow-start": {
    says: "The process reads nothing at first.",
    on: ["stdio"],
    when: ["start"],
    parameters: { ms: { default: 1000, says: "how long, in ms" } },
  },
  "stderr-flood": {
    says: "Bytes that are no UTF-8 and no lines go to stderr; the process blocks until somebody has read them.",
    on: ["stdio"],
    when: ["before", "after", "start"],
    parameters: { bytes: { default: 1_000_000, says: "how many" } },
  },
};
