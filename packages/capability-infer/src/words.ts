/**
 * Splits a tool name into its words, in lower case: at every character that is neither a letter nor a
 * digit (`_ - . / :` and spaces), where lower case meets upper case, before the last capital of an
 * acronym (`getHTTPHeaders` → `get http headers`), and where letters meet digits (`d1Get` → `d 1 get`).
 *
 * Any string is accepted, in any script, and the time is linear in its length. Compatibility forms are
 * unified first (NFKC), so that full-width letters read like plain ones.
 */
export function splitName(name: string): string[] {
  return leadingWords(name, Number.POSITIVE_INFINITY);
}

/** The first words of a name; what lies behind them is not looked at. */
export function leadingWords(name: string, limit: number): string[] {
  const words: string[] = [];
  for (const [found] of name.normalize("NFKC").matchAll(word)) {
    if (words.length === limit) break;
    words.push(found.toLowerCase());
  }
  return words;
}

// A mark belongs to the letter before it; without one (an emoji's variation selector) it is no part of a word.
const word: RegExp =
  /(?:\p{Lu}\p{M}*)+(?![\p{Ll}\p{M}])|(?:\p{Lu}\p{M}*)?(?:[\p{Ll}\p{Lt}\p{Lm}\p{Lo}]\p{M}*)+|\p{N}+/gu;
