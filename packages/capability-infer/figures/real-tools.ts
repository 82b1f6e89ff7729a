import type { Effect } from "../src/index.ts";
import {
  byBaseTable,
  byLexicon,
  countedTools,
  hintedTools,
  otherTools,
  realTools,
  setAside,
  verbless,
} from "./corpora.ts";
import { type Figures, type LabelledTool, measure } from "./measure.ts";

const servers = new Set(realTools.map((tool) => tool.server)).size;
console.log(`${realTools.length} tools of ${servers} real servers, judged by name alone\n`);
console.log(row("", "reading", "per server", "writing", "per server", "called readOnly"));
print("base table, all hinted tools", hintedTools, byBaseTable);
print("base table, without set-aside", countedTools, byBaseTable);
const all = print("lexicon, all hinted tools", hintedTools, byLexicon);
print("lexicon, without set-aside", countedTools, byLexicon);

const otherServers = new Set(otherTools.map((tool) => tool.server)).size;
console.log(
  `\n${otherTools.length} tools of ${otherServers} kinds of other servers, labelled by hand\n`,
);
print("base table", otherTools, byBaseTable);
const held = print("lexicon", otherTools, byLexicon);

list("Reading tools whose name holds no verb (not counted)", verbless);
list(
  "Set aside, because the hint does not say what the tool does",
  setAside.map(({ name, reason }) => `${name}: ${reason}`),
);
list("Real reading tools not recognised", all.missedReading);
list("Real writing tools not recognised", all.missedWriting);
list("Real writing tools called readOnly", all.writingCalledReadOnly);
list("Other reading tools not recognised", held.missedReading);
list("Other writing tools not recognised", held.missedWriting);
list("Other writing tools called readOnly", held.writingCalledReadOnly);

function print(
  title: string,
  tools: readonly LabelledTool[],
  judge: (name: string) => Effect,
): Figures {
  const found = measure(tools, judge);
  console.log(
    row(
      title,
      `${percent(found.readingPooled)} of ${found.reading}`,
      percent(found.readingPerServer),
      `${percent(found.writingPooled)} of ${found.writing}`,
      percent(found.writingPerServer),
      `${found.writingCalledReadOnly.length}`,
    ),
  );
  return found;
}

function row(title: string, ...cells: readonly string[]): string {
  return `${title.padEnd(31)}${cells.map((cell) => cell.padStart(17)).join("")}`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function list(title: string, lines: readonly string[]): void {
  console.log(`\n${title}: ${lines.length}`);
  for (const line of lines) console.log(`  ${line}`);
}
