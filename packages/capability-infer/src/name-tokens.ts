import type { Entry } from "./lexicon/entry.ts";
import { findPhrase, findVerb } from "./lexicon/lexicon.ts";

/** One word, or one phrase, of a name; `index` counts tokens. */
export interface NameToken {
  readonly word: string;
  readonly index: number;
  /** The verb of the lexicon that the word may be. */
  readonly entry: Entry | undefined;
}

/** A token whose word is a verb of the lexicon. */
export interface Verb extends NameToken {
  readonly entry: Entry;
}

export function isVerb(token: NameToken | undefined): token is Verb {
  return token?.entry !== undefined;
}

/**
 * Looks the words up; a phrase (`check out`) or a compound noun (`pull request`) becomes one token. A `tool`,
 * a version or a number at the end of a name says nothing and is left out.
 */
export function readTokens(words: readonly string[]): NameToken[] {
  const tokens: NameToken[] = [];
  for (let at = 0; at < words.length; ) {
    const phrase = findPhrase(words, at);
    const word = phrase?.words.join(" ") ?? words[at] ?? "";
    const entry = phrase === undefined ? findVerb(word) : phrase.entry;
    tokens.push({ word, index: tokens.length, entry });
    at += phrase?.words.length ?? 1;
  }
  while (tokens.length > 1 && suffix.test(tokens.at(-1)?.word ?? "")) tokens.pop();
  return tokens;
}

const suffix: RegExp = /^(?:tool|v|\p{N}+)$/u;
