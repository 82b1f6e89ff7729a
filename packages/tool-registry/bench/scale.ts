import { ToolRegistry, type ToolSpec, toolSuccess } from "../src/index.ts";

const COUNTS = [100, 1_000, 10_000];
const RUNS = 7;

const specs = (count: number, description: string): ToolSpec[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `tool_${index}`,
    description,
    inputSchema: {
      type: "object",
      properties: { path: { type: "string" }, limit: { type: "integer", minimum: 1 } },
      required: ["path"],
    },
    source: "bench",
    invoke: async () => toolSuccess({ content: [] }),
  }));

const filled = (count: number): ToolRegistry => {
  const registry = new ToolRegistry();
  registry.replaceNamespace("bench", specs(count, "old"), "bench");
  return registry;
};

const operations: Record<string, (count: number) => () => void> = {
  register: (count) => {
    const registry = new ToolRegistry();
    const all = specs(count, "new");
    return () => {
      for (const spec of all) registry.register("bench", spec);
    };
  },
  replaceNamespace: (count) => {
    const registry = filled(count);
    const all = specs(count, "new");
    return () => {
      registry.replaceNamespace("bench", all, "bench");
    };
  },
  list: (count) => {
    const registry = filled(count);
    return () => {
      registry.list();
    };
  },
};

/** The median, in microseconds per tool. */
function measure(prepare: (count: number) => () => void, count: number): number {
  const times = Array.from({ length: RUNS }, () => {
    const action = prepare(count);
    const started = performance.now();
    action();
    return performance.now() - started;
  }).sort((a, b) => a - b);
  return ((times[Math.floor(RUNS / 2)] ?? 0) * 1_000) / count;
}

console.log(`tool-registry: µs per tool, median of ${RUNS} runs, Node ${process.version}`);
console.log(["operation", ...COUNTS.map(String)].map((cell) => cell.padStart(18)).join(""));
for (const [name, prepare] of Object.entries(operations)) {
  measure(prepare, 1_000);
  const cells = COUNTS.map((count) => measure(prepare, count).toFixed(3));
  console.log([name, ...cells].map((cell) => cell.padStart(18)).join(""));
}
