import { describe, expect, it } from "vitest";
import {
  byBaseTable,
  byLexicon,
  countedTools,
  hintedTools,
  isVerbless,
  otherTools,
  realTools,
  setAside,
  verbless,
} from "../figures/corpora.ts";
import { measure } from "../figures/measure.ts";
import { inferCapabilities, splitName } from "../src/index.ts";
import { findVerb } from "../src/lexicon/lexicon.ts";

describe("the corpus: 667 tools of 25 real servers", () => {
  it("is whole", () => {
    const hinted = realTools.filter((tool) => typeof tool.annotations.readOnlyHint === "boolean");
    expect(realTools.length).toBe(667);
    expect(new Set(realTools.map((tool) => tool.server)).size).toBe(25);
    expect(hinted.length).toBe(384);
    expect(hinted.filter((tool) => tool.annotations.readOnlyHint === true).length).toBe(311);
  });

  it("leaves out at most 20 reading names and one family for want of a verb", () => {
    expect(verbless.filter((entry) => entry !== "web_data_*").length).toBeLessThanOrEqual(20);
    for (const { name } of realTools.filter((tool) => isVerbless(tool.name))) {
      if (name.startsWith("web_data_")) continue;
      const verbs = splitName(name).filter((word) => findVerb(word)?.kind === "verb");
      expect(verbs, name).toEqual([]);
    }
  });

  it("sets aside at most 8 tools, each with a reason", () => {
    expect(setAside.length).toBeLessThanOrEqual(8);
    for (const { name, reason } of setAside) {
      expect(
        hintedTools.some((tool) => tool.name === name),
        name,
      ).toBe(true);
      expect(reason.length, name).toBeGreaterThan(40);
    }
  });

  it("the lexicon reaches the bar, with the tools set aside and without", () => {
    for (const tools of [countedTools, hintedTools]) {
      const found = measure(tools, byLexicon);
      expect(found.readingPooled).toBeGreaterThanOrEqual(0.9);
      expect(found.readingPerServer).toBeGreaterThanOrEqual(0.9);
      expect(found.writingPooled).toBeGreaterThanOrEqual(0.9);
      expect(found.writingPerServer).toBeGreaterThanOrEqual(0.9);
    }
  });

  it("calls no writing tool readOnly, save the one set aside", () => {
    expect(measure(countedTools, byLexicon).writingCalledReadOnly).toEqual([]);
    expect(measure(hintedTools, byLexicon).writingCalledReadOnly).toEqual(["get_network_request"]);
  });

  it("calls no tool readOnly that its author calls destructive and not reading, hint or no hint", () => {
    for (const { name, annotations } of realTools) {
      const verdict = inferCapabilities({ name, annotations });
      const { readOnlyHint, destructiveHint } = annotations as Record<string, unknown>;
      if (readOnlyHint === false || destructiveHint === true) {
        expect(verdict.readOnly, name).toBe(false);
        expect(verdict.writes, name).toBe(true);
      }
    }
  });

  it("under trust every hint of an author stands", () => {
    for (const tool of realTools) {
      const { readOnlyHint } = tool.annotations;
      if (typeof readOnlyHint !== "boolean") continue;
      const verdict = inferCapabilities(tool, { trust: "annotations" });
      expect(verdict.readOnly, tool.name).toBe(readOnlyHint);
      expect(
        verdict.because.some((found) => found.about === "readOnly" && found.trusted),
        tool.name,
      ).toBe(true);
    }
  });

  it("is far beyond the base table", () => {
    const base = measure(hintedTools, byBaseTable);
    const hinted = realTools.filter((tool) => tool.annotations.readOnlyHint === true);
    const baseReads = hinted.filter((tool) => byBaseTable(tool.name) === "read").length;
    expect(Math.round((baseReads / hinted.length) * 100)).toBe(65);
    expect(Math.round(base.writingPooled * 100)).toBe(27);
    expect(base.writingCalledReadOnly).toEqual(["get_network_request", "stop_search"]);
  });
});

describe("servers outside the corpus, labelled before the first run", () => {
  it("are not in the corpus and are enough to mean something", () => {
    expect(otherTools.length).toBeGreaterThanOrEqual(1000);
    expect(new Set(otherTools.map(({ server, name }) => `${server} ${name}`)).size).toBe(
      otherTools.length,
    );
    const known = new Set(realTools.map((tool) => tool.name));
    expect(otherTools.filter((tool) => known.has(tool.name)).length).toBeLessThan(40);
  });

  it("are read as well as those inside", () => {
    const found = measure(otherTools, byLexicon);
    expect(found.readingPooled).toBeGreaterThanOrEqual(0.9);
    expect(found.readingPerServer).toBeGreaterThanOrEqual(0.85);
    expect(found.writingPooled).toBeGreaterThanOrEqual(0.9);
    expect(found.writingPerServer).toBeGreaterThanOrEqual(0.9);
  });

  it("has no writing tool that is called readOnly", () => {
    expect(measure(otherTools, byLexicon).writingCalledReadOnly).toEqual([]);
  });
});
