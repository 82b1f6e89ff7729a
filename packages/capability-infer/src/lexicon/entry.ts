/** What a tool with this verb does to the world: nothing, something, or nobody can tell. */
export type Effect = "read" | "write" | "unknown";

/**
 * How a verb behaves in a name: `verb` is never a noun (`delete`), `either` is a verb that is a noun or an
 * adjective after another verb (`get_update_status`), `noun` names a thing unless it comes first
 * (`comment_on_issue` against `issue_comment`).
 */
export type Kind = "verb" | "either" | "noun";

/** Objects after the verb that change what it does. */
export interface ObjectRule {
  readonly effect: Effect;
  readonly objects: ReadonlySet<string>;
  /**
   * Where the word stands: `object`, the last word before a preposition (`id` in `resolve_library_id_for_user`);
   * `any` place after the verb; anywhere in the `name`; `bare` means that nothing follows the verb.
   */
  readonly at: "object" | "any" | "name" | "bare";
}

/** One verb, or one phrase of two or three words, of the lexicon. */
export interface Entry {
  readonly effect: Effect;
  readonly kind: Kind;
  /** Something is gone afterwards. */
  readonly destroys: boolean;
  /** Why the verb does not count as reading although it may look like it. */
  readonly why?: string;
  readonly rules: readonly ObjectRule[];
}

/** A group of verbs that share everything; `verbs` is separated by spaces. */
export interface Group {
  readonly verbs: string;
  readonly effect: Effect;
  readonly kind: Kind;
  readonly destroys?: true;
  readonly why?: string;
  readonly rules?: readonly ObjectRule[];
}

/** The words of a text, for data written as one line. */
export function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
