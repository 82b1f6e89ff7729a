import { type Effect, inferCapabilities, inferFromBaseTable } from "../src/index.ts";
import other from "../test/fixtures/other-servers.json" with { type: "json" };
import real from "../test/fixtures/real-tools.json" with { type: "json" };
import notes from "../test/fixtures/real-tools-notes.json" with { type: "json" };
import type { LabelledTool } from "./measure.ts";

/** A tool of the 25 real servers, with the hints its author gave. */
export interface RealTool {
  readonly server: string;
  readonly name: string;
  readonly annotations: { readonly readOnlyHint?: unknown };
}

export const realTools: readonly RealTool[] = real;

/** Reading tools whose name holds no verb; a trailing `*` stands for a family. */
export const verbless: readonly string[] = notes.verbless;

/** Tools whose hint does not say what the tool does, with the reason. */
export const setAside: readonly { readonly name: string; readonly reason: string }[] =
  notes.setAside;

/** The real tools with the author's `readOnlyHint` as label, without the verbless ones. */
export const hintedTools: readonly LabelledTool[] = realTools.flatMap(
  ({ server, name, annotations }) => {
    const hint = annotations.readOnlyHint;
    if (typeof hint !== "boolean" || (hint && isVerbless(name))) return [];
    return [{ server, name, label: hint ? ("read" as const) : ("write" as const) }];
  },
);

/** `hintedTools` without those set aside. */
export const countedTools: readonly LabelledTool[] = hintedTools.filter(
  (tool) => !setAside.some((aside) => aside.name === tool.name),
);

/** Tools of servers outside the corpus, labelled by hand before the first run. */
export const otherTools: readonly LabelledTool[] = other.map(({ server, name, label }) => ({
  server,
  name,
  label: label === "read" ? ("read" as const) : ("write" as const),
}));

export function isVerbless(name: string): boolean {
  return verbless.some((entry) =>
    entry.endsWith("*") ? name.startsWith(entry.slice(0, -1)) : name === entry,
  );
}

export function byLexicon(name: string): Effect {
  return inferCapabilities(name).effect;
}

export function byBaseTable(name: string): Effect {
  const { readOnly, writes } = inferFromBaseTable(name);
  if (writes) return "write";
  return readOnly ? "read" : "unknown";
}
