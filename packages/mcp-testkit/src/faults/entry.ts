export type Transport = "stdio" | "http" | "sse";

/**
 * Where in the life of a message or of the server a fault acts.
 * - `start`: the process starts
 * - `before`: a request has come, its tool has not run
 * - `after`: the tool has run and its side effects are counted, nothing is answered
 * - `answering`: the answer is being written; a fault that ends things leaves half of it on the wire
 * - `list`: a page of a list is put together
 * - `stream`: a client opens the legacy SSE stream
 * - `cancel`, `signal`, `eof`: `notifications/cancelled`, a signal, or the end of stdin has come
 */
export type Stage =
  | "start"
  | "before"
  | "after"
  | "answering"
  | "list"
  | "stream"
  | "cancel"
  | "signal"
  | "eof";

export interface FaultParameter<Value> {
  readonly default: Value;
  readonly says: string;
  /** Any JSON is accepted; otherwise only the type of `default`. */
  readonly any?: true;
}

/** What is said and checked about a fault; the README's table is made of these. */
export interface FaultEntry<Parameters> {
  readonly says: string;
  readonly on: readonly Transport[];
  /** The first is the default of `when`. */
  readonly when: readonly [Stage, ...Stage[]];
  /** The message gets no regular answer after it; at most one such fault fires at a stage. */
  readonly ends?: true;
  /** Without `method` it acts on whatever is posted, not only on requests. */
  readonly anyMessage?: true;
  /** Without `verb` it acts on GET and DELETE too, not only on POST. */
  readonly anyVerb?: true;
  readonly parameters: {
    readonly [Name in keyof Parameters]-?: FaultParameter<Required<Parameters>[Name]>;
  };
}

export type FaultEntries<Group> = {
  readonly [Name in keyof Group]: FaultEntry<Group[Name]>;
};

/** Parameters of a fault that has none. */
export type NoParameters = Readonly<Record<never, never>>;
