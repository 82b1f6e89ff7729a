import type { Effect } from "../src/index.ts";

/** A tool whose effect somebody else has stated. */
export interface LabelledTool {
  readonly server: string;
  readonly name: string;
  readonly label: "read" | "write";
}

/** How often a judge agrees with the labels. The four shares lie between 0 and 1. */
export interface Figures {
  readonly reading: number;
  readonly readingPooled: number;
  readonly readingPerServer: number;
  readonly writing: number;
  readonly writingPooled: number;
  readonly writingPerServer: number;
  readonly missedReading: readonly string[];
  readonly missedWriting: readonly string[];
  /** The damaging error. */
  readonly writingCalledReadOnly: readonly string[];
}

export function measure(tools: readonly LabelledTool[], judge: (name: string) => Effect): Figures {
  const reading = tools.filter((tool) => tool.label === "read");
  const writing = tools.filter((tool) => tool.label === "write");
  const hit = (tool: LabelledTool): boolean => judge(tool.name) === tool.label;
  const names = (found: readonly LabelledTool[]): string[] => found.map((tool) => tool.name);
  return {
    reading: reading.length,
    readingPooled: share(reading, hit),
    readingPerServer: meanPerServer(reading, hit),
    writing: writing.length,
    writingPooled: share(writing, hit),
    writingPerServer: meanPerServer(writing, hit),
    missedReading: names(reading.filter((tool) => !hit(tool))),
    missedWriting: names(writing.filter((tool) => !hit(tool))),
    writingCalledReadOnly: names(writing.filter((tool) => judge(tool.name) === "read")),
  };
}

function share(tools: readonly LabelledTool[], hit: (tool: LabelledTool) => boolean): number {
  return tools.filter(hit).length / tools.length;
}

function meanPerServer(
  tools: readonly LabelledTool[],
  hit: (tool: LabelledTool) => boolean,
): number {
  const servers = [...new Set(tools.map((tool) => tool.server))];
  const shares = servers.map((server) =>
    share(
      tools.filter((tool) => tool.server === server),
      hit,
    ),
  );
  return shares.reduce((sum, value) => sum + value, 0) / shares.length;
}
