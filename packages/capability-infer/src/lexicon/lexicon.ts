import { doubtfulGroups } from "./doubtful.ts";
import type { Entry, Group } from "./entry.ts";
import { compoundNouns, phraseGroups } from "./phrases.ts";
import { readingGroups } from "./reading.ts";
import { writingGroups } from "./writing.ts";

/** A phrase found in a name: how many words it takes, and the entry, if it acts at all. */
interface Phrase {
  readonly words: readonly string[];
  readonly entry: Entry | undefined;
}

interface Lexicon {
  readonly verbs: ReadonlyMap<string, Entry>;
  readonly phrases: ReadonlyMap<string, readonly Phrase[]>;
}

let built: Lexicon | undefined;

/** Built when first asked, so that importing the package stays cheap. */
function lexicon(): Lexicon {
  built ??= {
    verbs: new Map([...readingGroups, ...doubtfulGroups, ...writingGroups].flatMap(entriesOf)),
    phrases: groupByFirstWord([...actingPhrases(), ...silentPhrases()]),
  };
  return built;
}

const writesAgain: readonly string[] = ["re", "un", "de", "auto"];

/**
 * The entry of a verb. A word that is not listed itself but is a writing verb behind `re-`, `un-`, `de-` or
 * `auto-` writes too (`reprovision`, `unassign`).
 */
export function findVerb(word: string): Entry | undefined {
  return lexicon().verbs.get(word) ?? deriveVerb(word);
}

/** The longest phrase that begins at `words[index]`. */
export function findPhrase(words: readonly string[], index: number): Phrase | undefined {
  return lexicon()
    .phrases.get(words[index] ?? "")
    ?.find((phrase) => phrase.words.every((word, offset) => words[index + offset] === word));
}

function deriveVerb(word: string): Entry | undefined {
  for (const prefix of writesAgain) {
    const base = word.startsWith(prefix)
      ? lexicon().verbs.get(word.slice(prefix.length))
      : undefined;
    if (base?.effect === "write") return { ...base, kind: "verb", destroys: false };
  }
  return undefined;
}

function entriesOf(group: Group): [string, Entry][] {
  const { verbs: text, effect, kind, destroys = false, why, rules = [] } = group;
  const entry: Entry = { effect, kind, destroys, rules, ...(why === undefined ? {} : { why }) };
  return text
    .trim()
    .split(/\s+/)
    .map((word) => [word, entry]);
}

function actingPhrases(): Phrase[] {
  const entries = phraseGroups.flatMap(entriesOf);
  return entries.map(([text, entry]) => ({ words: text.split("+"), entry }));
}

function silentPhrases(): Phrase[] {
  const singular = compoundNouns.trim().split(/\s+/);
  const all = singular.flatMap((text) => [text, `${text}s`]);
  return all.map((text) => ({ words: text.split("+"), entry: undefined }));
}

function groupByFirstWord(all: readonly Phrase[]): Map<string, Phrase[]> {
  const grouped = new Map<string, Phrase[]>();
  for (const phrase of [...all].sort((a, b) => b.words.length - a.words.length)) {
    const first = phrase.words[0] ?? "";
    grouped.set(first, [...(grouped.get(first) ?? []), phrase]);
  }
  return grouped;
}
