import { describe, expect, it } from "vitest";
import { doubtfulGroups } from "../src/lexicon/doubtful.ts";
import { type Group, wordSet } from "../src/lexicon/entry.ts";
import { findPhrase, findVerb } from "../src/lexicon/lexicon.ts";
import { compoundNouns, phraseGroups } from "../src/lexicon/phrases.ts";
import { readingGroups } from "../src/lexicon/reading.ts";
import { writingGroups } from "../src/lexicon/writing.ts";

const groups: readonly Group[] = [...readingGroups, ...doubtfulGroups, ...writingGroups];
const allVerbs = groups.flatMap((group) => group.verbs.trim().split(/\s+/));

describe("the lexicon as data", () => {
  it("knows several hundred verbs, each in one group only", () => {
    expect(allVerbs.length).toBeGreaterThan(700);
    const twice = allVerbs.filter((verb, index) => allVerbs.indexOf(verb) !== index);
    expect(twice).toEqual([]);
  });

  it("holds whole words in lower case", () => {
    expect(allVerbs.filter((verb) => !/^[a-z]+$/.test(verb))).toEqual([]);
  });

  it("joins the words of every phrase", () => {
    const all = [...phraseGroups.map((group) => group.verbs), compoundNouns].join(" ").trim();
    expect(all.split(/\s+/).filter((phrase) => !/^[a-z]+(\+[a-z]+){1,2}$/.test(phrase))).toEqual(
      [],
    );
  });

  it("gives a reason for every doubt", () => {
    const ruled = groups.filter((group) => group.rules?.some((rule) => rule.effect === "unknown"));
    for (const group of [...doubtfulGroups, ...ruled]) expect(group.why, group.verbs).toMatch(/\w/);
  });

  it("keeps the classes apart", () => {
    expect(new Set(readingGroups.map((group) => group.effect))).toEqual(new Set(["read"]));
    expect(new Set(doubtfulGroups.map((group) => group.effect))).toEqual(new Set(["unknown"]));
    expect(new Set(writingGroups.map((group) => group.effect))).toEqual(new Set(["write"]));
  });
});

describe("looking a word up", () => {
  it.each([
    ["delete", "write", true],
    ["create", "write", false],
    ["get", "read", false],
    ["export", "unknown", false],
  ] as const)("%s: %s", (word, effect, destroys) => {
    expect(findVerb(word)).toMatchObject({ effect, destroys });
  });

  it.each(["reprovision", "unassign", "deregister", "autodeploy", "reorder", "unplace"])(
    "%s is derived from a writing verb",
    (word) => {
      expect(findVerb(word)).toMatchObject({ effect: "write", kind: "verb", destroys: false });
    },
  );

  it.each(["rerank", "unread", "retail", "resource", "region", "unit", "detail", "author"])(
    "%s is not",
    (word) => {
      expect(findVerb(word)?.effect).not.toBe("write");
    },
  );

  it.each(["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "re", "un", ""])(
    "%j is no verb",
    (word) => {
      expect(findVerb(word)).toBeUndefined();
      expect(findPhrase([word], 0)).toBeUndefined();
    },
  );

  it("prefers a phrase from its first word on, and only if it is whole", () => {
    expect(findPhrase(["please", "check", "out", "book"], 1)?.entry?.effect).toBe("write");
    expect(findPhrase(["check", "outage"], 0)).toBeUndefined();
    expect(findPhrase(["check"], 0)).toBeUndefined();
    expect(findPhrase(["pull", "requests"], 0)).toMatchObject({ entry: undefined });
    expect(findPhrase([], 3)).toBeUndefined();
  });

  it("reads data lines as sets", () => {
    expect(wordSet("\n  one two\n three ")).toEqual(new Set(["one", "two", "three"]));
  });
});
