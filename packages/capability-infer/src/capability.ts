import type { Effect } from "./lexicon/entry.ts";

/** What evidence can be about. */
export type CapabilityField = "readOnly" | "writes" | "destructive" | "idempotent" | "openWorld";

/** One statement about a tool, and who made it. */
export interface Evidence {
  readonly about: CapabilityField;
  readonly says: boolean;
  /** `override` is written by a registry that applies overrides, never by `inferCapabilities`. */
  readonly from: "name" | "annotations" | "override";
  /** Only trusted evidence may be acted upon, for instance by sending a call a second time. */
  readonly trusted: boolean;
  /** A sentence for people; never parse it. */
  readonly detail: string;
}

/** A hint that says the opposite of the name. */
export interface Conflict {
  readonly about: CapabilityField;
  /** What the name says. */
  readonly name: boolean;
  /** What the server's hint says. */
  readonly hint: boolean;
  /** Both statements, and which of them stands; a sentence for people. */
  readonly detail: string;
}

/** What a tool may do. `null` is unknown, and unknown is never the harmless answer. */
export interface Capability {
  readonly effect: Effect;
  /** `effect === "read"`. */
  readonly readOnly: boolean;
  /** `effect === "write"`; false for `unknown` too, so ask `readOnly` before trusting a tool. */
  readonly writes: boolean;
  /**
   * Whether a call can lose something. true if the name holds a destroying verb (`delete`, `kill`) or a
   * counted hint says so, false for a reading tool or on a trusted hint, else null.
   */
  readonly destructive: boolean | null;
  /** Whether a second equal call changes nothing more. true for a reading tool; else only hints tell. */
  readonly idempotent: boolean | null;
  /** Whether the tool talks to the world outside its server. Only hints tell; a name never does. */
  readonly openWorld: boolean | null;
  /** Every statement that was found, counted or not: the name's first, then the hints'. */
  readonly because: readonly Evidence[];
  readonly conflicts: readonly Conflict[];
}
