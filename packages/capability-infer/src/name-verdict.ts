import {
  actsAsVerb,
  beginsWithUnknownVerb,
  coordinated,
  effectOf,
  informsOnly,
  outweighs,
} from "./grammar.ts";
import type { Effect } from "./lexicon/entry.ts";
import { isVerb, type NameToken, readTokens, type Verb } from "./name-tokens.ts";
import { leadingWords } from "./words.ts";

/** What a name alone says, and the sentence that says why. */
export interface NameVerdict {
  readonly effect: Effect;
  readonly destroys: boolean;
  readonly detail: string;
}

/** Past this many words a name is no name; the specification allows 128 characters. */
const maxWords = 64;

/**
 * Judges a name by its verbs, their place and their kind. The first word that acts as a verb decides, with
 * exceptions that all lie on the side of caution: a word that can only be a writing verb writes wherever it
 * stands, a second verb after `and` or `or` counts as much as the first, and a verb that nobody knows keeps
 * what follows from counting as reading.
 */
export function judgeName(name: string): NameVerdict {
  const words = leadingWords(name, maxWords + 1);
  if (words.length > maxWords) return unknown(`the name has more than ${maxWords} words`);
  const tokens = readTokens(words);
  const verbs = tokens.filter(isVerb);
  const head = verbs.find((verb) => actsAsVerb(verb, tokens));
  if (head !== undefined && effectOf(head, tokens) === "write") return verdict(head, tokens);
  const writer = verbs.find(
    (verb) => verb.entry.kind === "verb" && effectOf(verb, tokens) === "write",
  );
  if (writer !== undefined) return verdict(writer, tokens);
  if (head === undefined) return judgeVerbless(tokens, verbs);
  return judgeSecondVerb(head, tokens) ?? verdict(head, tokens);
}

function judgeSecondVerb(head: Verb, tokens: readonly NameToken[]): NameVerdict | undefined {
  const later = tokens.slice(head.index + 1).filter(isVerb);
  const second = later.find((verb) => outweighs(verb, head, tokens));
  if (second !== undefined) return verdict(second, tokens);
  const beside = coordinated(head, tokens);
  const writer = beside.filter(isVerb).find((verb) => effectOf(verb, tokens) === "write");
  if (writer !== undefined) return verdict(writer, tokens);
  const doubt = beside.find((token) => !isVerb(token) || effectOf(token, tokens) === "unknown");
  if (doubt !== undefined) return unknown(`\`${shown(doubt)}\` stands beside \`${shown(head)}\``);
  return head === tokens.at(-1) ? unknownFirst(tokens) : undefined;
}

function unknownFirst(tokens: readonly NameToken[]): NameVerdict | undefined {
  if (!beginsWithUnknownVerb(tokens)) return undefined;
  return unknown(`\`${shown(tokens[0])}\` looks like a verb that the lexicon does not know`);
}

function judgeVerbless(tokens: readonly NameToken[], things: readonly Verb[]): NameVerdict {
  const last = tokens.at(-1);
  const thing = things.at(-1);
  if (thing !== undefined && thing === last) {
    return unknown(`\`${shown(thing)}\` may be a thing or a verb, last word`);
  }
  if (!informsOnly(tokens)) return unknown("no word is known to be a verb");
  const detail = `\`${shown(last)}\` names information, and no word is a verb`;
  return unknownFirst(tokens) ?? { effect: "read", destroys: false, detail };
}

function verdict(verb: Verb, tokens: readonly NameToken[]): NameVerdict {
  const effect = effectOf(verb, tokens);
  const why = verb.entry.why === undefined || effect === "read" ? "" : ` (${verb.entry.why})`;
  return {
    effect,
    destroys: effect === "write" && verb.entry.destroys,
    detail: `\`${shown(verb)}\` ${sayings[effect]}, ${placeOf(verb, tokens)}${why}`,
  };
}

const sayings: Readonly<Record<Effect, string>> = {
  read: "is a reading verb",
  write: "is a writing verb",
  unknown: "may read or write",
};

function placeOf(token: NameToken, tokens: readonly NameToken[]): string {
  if (tokens.length === 1) return "the only word";
  if (token.index === 0) return "first word";
  return token === tokens.at(-1) ? "last word" : `word ${token.index + 1} of ${tokens.length}`;
}

function unknown(detail: string): NameVerdict {
  return { effect: "unknown", destroys: false, detail };
}

/** Names come from servers and may be megabytes long; a sentence for people is not. */
function shown(token: NameToken | undefined): string {
  const word = token?.word ?? "";
  return word.length > 40 ? `${word.slice(0, 40)}…` : word;
}
