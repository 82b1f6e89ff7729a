import { type Effect, type ObjectRule, wordSet } from "./lexicon/entry.ts";
import { isVerb, type NameToken, type Verb } from "./name-tokens.ts";

/** The effect of a verb in this name: its own, or that of the rule for its object. */
export function effectOf(verb: Verb, tokens: readonly NameToken[]): Effect {
  const rule = verb.entry.rules.find((candidate) => applies(candidate, verb, tokens));
  return rule?.effect ?? verb.entry.effect;
}

/**
 * Whether a word of the lexicon is the verb of the name and not a thing: `comment` is a thing in `comment_get`
 * and `issue_comment`, and a verb in `comment_on_issue`.
 */
export function actsAsVerb(verb: Verb, tokens: readonly NameToken[]): boolean {
  const last = tokens.at(-1);
  if (verb.entry.kind === "verb" || (verb === last && verb.entry.kind === "either")) return true;
  if (verb.index === 0 && neverThings.has(verb.word)) return true;
  const next = tokens[verb.index + 1];
  if (asksFor.has(next?.word ?? "") || asksFor.has(last?.word ?? "")) return false;
  if (verb.entry.kind === "either") return true;
  if (next !== undefined && next === last && listsThings.has(next.word)) return false;
  if (verb.index === 0 || particles.has(next?.word ?? "")) return true;
  return tokens.slice(verb.index + 1).some((token) => token.word === "to");
}

/**
 * Whether a word after the reading verb `head`, one that may be a verb or a noun, is a second verb. After
 * `get`, `read` and their like it is a noun (`get_update_status`), save `set`. `list` and `search` are nouns
 * themselves often enough (`shopping_list_complete_item`, `list_update`), and any other reading verb may be a
 * prefix.
 */
export function outweighs(verb: Verb, head: Verb, tokens: readonly NameToken[]): boolean {
  if (verb.entry.kind !== "either" || verb.entry.effect === "read") return false;
  const adjacent = verb.index === head.index + 1;
  if (adjacent && verb.word === "set") return true;
  if (plainReaders.has(head.word)) return false;
  const last = verb === tokens.at(-1);
  if (head.word === "list") return last || (adjacent && head.index > 0);
  return last || head.word !== "search" || !adjacent;
}

/**
 * The words that `and`, `or` or `then` put beside the reading verb `head`: verbs of the lexicon, and words
 * that stand where only a verb can (`get_and_frobnicate`).
 */
export function coordinated(head: Verb, tokens: readonly NameToken[]): NameToken[] {
  return tokens.slice(head.index + 1).filter((token) => {
    const before = tokens[token.index - 1];
    if (before === undefined || !coordinators.has(before.word)) return false;
    return isVerb(token) || tokens[token.index - 2] === head;
  });
}

/** Whether the first word looks like a verb that the lexicon does not know: `randomize_list`. */
export function beginsWithUnknownVerb(tokens: readonly NameToken[]): boolean {
  const first = tokens[0];
  if (first === undefined || isVerb(first)) return false;
  return verbEndings.test(first.word.slice(-5)) && !looksOnly.has(first.word);
}

/** Whether the last word names information that can only be looked at: `session_stats`. */
export function informsOnly(tokens: readonly NameToken[]): boolean {
  return information.has(tokens.at(-1)?.word ?? "");
}

function applies(rule: ObjectRule, verb: Verb, tokens: readonly NameToken[]): boolean {
  const words = tokens.map((token) => token.word);
  const objects = words.slice(verb.index + 1);
  if (rule.at === "bare") return objects.length === 0;
  if (rule.at === "object") return rule.objects.has(headOf(objects));
  return (rule.at === "name" ? words : objects).some((word) => rule.objects.has(word));
}

/** The noun that a verb acts on: `issue` in `resolve_issue_by_id`. */
function headOf(objects: readonly string[]): string {
  const end = objects.findIndex((word) => prepositions.has(word));
  return (end < 0 ? objects.at(-1) : objects[end - 1]) ?? "";
}

const prepositions: ReadonlySet<string> = wordSet(
  "as at by for from in into of on per to using via with",
);
const plainReaders: ReadonlySet<string> = wordSet(`
  get read fetch retrieve find describe check show lookup count validate`);
const neverThings: ReadonlySet<string> = wordSet(
  "run test trigger call make set update start stop",
);
const asksFor: ReadonlySet<string> = wordSet("get retrieve describe");
const listsThings: ReadonlySet<string> = wordSet("list search");
const particles: ReadonlySet<string> = wordSet("on to at as");
const coordinators: ReadonlySet<string> = wordSet("and or then");
const information: ReadonlySet<string> = wordSet(`
  status stats statistics info information details documentation docs help overview whoami tree logs guide directions
  elevation`);
const verbEndings: RegExp = /.(?:ize|ise|ify|ate)$/;
const looksOnly: ReadonlySet<string> = wordSet(`
  template certificate candidate date state climate estate gate plate private corporate associate affiliate mate
  delegate coordinate separate enterprise franchise exercise expertise premise precise spotify shopify netlify
  amplify apify size prize rate crate slate senate`);
