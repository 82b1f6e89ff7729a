import { type Group, wordSet } from "./entry.ts";

/** Verbs that read in one tool and write in the next. They are never called readOnly. */
export const doubtfulGroups: readonly Group[] = [
  {
    effect: "unknown",
    kind: "verb",
    why: "says that something is done, not what",
    verbs: "do deal perform conduct reflect use",
  },
  {
    effect: "unknown",
    kind: "noun",
    why: "says that something is done, not what",
    verbs: "process",
  },
  {
    effect: "unknown",
    kind: "either",
    why: "may write a file where the server runs, or start a job",
    verbs: "export dump download",
  },
  {
    effect: "unknown",
    kind: "noun",
    why: "may store a picture or a backup",
    verbs: "snapshot screenshot capture print",
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "may only compute a text, or store what it made",
    verbs: "generate gen render visualize visualise plot transform reformat",
  },
  {
    effect: "unknown",
    kind: "either",
    why: "may change what is loaded or prepared",
    verbs: "load prepare preload hydrate",
  },
  { effect: "unknown", kind: "verb", why: "starts a job at many sites", verbs: "crawl" },
  { effect: "unknown", kind: "either", why: "puts something on a screen", verbs: "display" },
  {
    effect: "unknown",
    kind: "verb",
    why: "may start an analysis that is stored",
    verbs: "analyze analyse investigate troubleshoot",
  },
  {
    effect: "unknown",
    kind: "noun",
    why: "may start a run whose result is stored",
    verbs: "audit scan research review benchmark debug",
  },
  {
    effect: "unknown",
    kind: "noun",
    why: "may begin to record, or subscribe somebody",
    verbs: "monitor watch track trace",
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "may take what it reads out of a queue",
    verbs: "listen receive consume collect gather harvest",
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "may store what it parsed",
    verbs: "parse ingest digest",
  },
  {
    effect: "unknown",
    kind: "noun",
    why: "may rewrite what it arranges",
    verbs: "format filter sort map sample group match rank score",
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "may store its finding with the object",
    verbs: "classify identify infer recognize segment embed triage enrich",
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "may replace its input by its result",
    verbs: `optimize optimise tune normalize sanitize redact anonymize mask tokenize encrypt decrypt hash encode
      aggregate reduce`,
  },
  {
    effect: "unknown",
    kind: "noun",
    why: "may post to somebody, or be remembered",
    verbs: "ask answer chat consult plan design think reason learn prompt",
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "may act, depending on what it is given",
    verbs: "sleep solve curl dig obtain",
  },
  {
    effect: "unknown",
    kind: "verb",
    why: "may replace a file or an object by its converted form",
    verbs: "convert",
    rules: [
      {
        effect: "read",
        at: "object",
        objects:
          wordSet(`time times timezone timezones date dates timestamp currency currencies unit units
          temperature amount amounts money price prices number numbers coordinate coordinates coords color colors
          length weight distance`),
      },
    ],
  },
];
