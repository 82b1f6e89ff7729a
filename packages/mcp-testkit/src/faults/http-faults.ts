import type { FaultEntries, NoParameters } from "./entry.ts";

export interface HttpFaults {
  "http-status": {
    readonly status?: number;
    readonly body?: string;
    readonly contentType?: string;
  };
  unauthorized: { readonly token?: string };
  "session-expired": { readonly status?: number };
  "forget-sessions": NoParameters;
  redirect: { readonly status?: number; readonly to?: string };
  html: NoParameters;
  "empty-body": NoParameters;
  "accepted-only": NoParameters;
  reset: NoParameters;
  "cut-stream": { readonly reset?: boolean };
  "drop-stream": { readonly reset?: boolean };
  "cut-get-stream": { readonly reset?: boolean };
  "no-endpoint": NoParameters;
  "foreign-endpoint": { readonly origin?: string };
}

const both = ["http", "sse"] as const;

export const httpFaults: FaultEntries<HttpFaults> = {
  "http-status": {
    says: "An HTTP status is the answer.",
    on: both,
    when: ["before", "after"],
    ends: true,
    anyMessage: true,
    parameters: {
      status: { default: 500, says: "the status" },
      body: { default: "", says: "the body" },
      contentType: { default: "text/plain", says: "its type" },
    },
  },
  unauthorized: {
    says: "401 with `WWW-Authenticate` until the request bears the token.",
    on: both,
    when: ["before"],
    ends: true,
    anyMessage: true,
    anyVerb: true,
    parameters: { token: { default: "testkit", says: "the bearer token that is accepted" } },
  },
  "session-expired": {
    says: "The session of the request is forgotten and the request refused. It needs a known session.",
    on: both,
    when: ["before"],
    ends: true,
    anyMessage: true,
    anyVerb: true,
    parameters: { status: { default: 404, says: "the status" } },
  },
  "forget-sessions": {
    says: "All sessions are forgotten: this request (with `after`: the next one) meets 404.",
    on: both,
    when: ["before", "after"],
    anyMessage: true,
    parameters: {},
  },
  redirect: {
    says: "The request is sent elsewhere: to a path of this server where all is well, or to `to`.",
    on: both,
    when: ["before"],
    ends: true,
    anyMessage: true,
    parameters: {
      status: { default: 307, says: "the status" },
      to: { default: "", says: "another url" },
    },
  },
  html: {
    says: "200 with a page of HTML.",
    on: both,
    when: ["before", "after"],
    ends: true,
    anyMessage: true,
    parameters: {},
  },
  "empty-body": {
    says: "200 with `application/json` and no body.",
    on: both,
    when: ["before", "after"],
    ends: true,
    anyMessage: true,
    parameters: {},
  },
  "accepted-only": {
    says: "202, and the answer never comes.",
    on: both,
    when: ["before", "after"],
    ends: true,
    parameters: {},
  },
  reset: {
    says: "The socket of the POST is reset.",
    on: both,
    when: ["before", "after", "answering"],
    ends: true,
    anyMessage: true,
    parameters: {},
  },
  "cut-stream": {
    says: "The stream that should carry the answer ends without it (legacy SSE: the only stream).",
    on: both,
    when: ["after", "before", "answering"],
    ends: true,
    parameters: { reset: { default: false, says: "reset it instead of ending it properly" } },
  },
  "drop-stream": {
    says: "The connection that should carry the answer is cut and the request goes on. On a `resumable` server the answer waits for a client that resumes, else it is lost.",
    on: ["http"],
    when: ["before", "after"],
    parameters: { reset: { default: false, says: "reset it instead of ending it properly" } },
  },
  "cut-get-stream": {
    says: "The GET stream of the session ends; the request is answered.",
    on: ["http"],
    when: ["before", "after"],
    parameters: { reset: { default: false, says: "reset it instead of ending it properly" } },
  },
  "no-endpoint": {
    says: "The legacy SSE stream opens and never names an endpoint.",
    on: ["sse"],
    when: ["stream"],
    parameters: {},
  },
  "foreign-endpoint": {
    says: "The legacy SSE stream names an endpoint of another origin.",
    on: ["sse"],
    when: ["stream"],
    parameters: { origin: { default: "http://127.0.0.1:9", says: "that origin" } },
  },
};
