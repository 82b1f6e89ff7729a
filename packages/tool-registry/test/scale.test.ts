import { describe, expect, it } from "vitest";
import { ToolRegistry, type ToolSpec } from "../src/index.ts";
import { spec } from "./sample-tools.ts";

const specs = (count: number, description: string): ToolSpec[] =>
  Array.from({ length: count }, (_, i) => spec(`tool_${i}`, { description }));

/** Milliseconds per tool, the best of a few runs: the one that was disturbed least. */
function perTool(count: number, prepare: () => () => void): number {
  const times = Array.from({ length: 3 }, () => {
    const action = prepare();
    const started = performance.now();
    action();
    return performance.now() - started;
  });
  return Math.min(...times) / count;
}

const filled = (count: number): ToolRegistry => {
  const registry = new ToolRegistry();
  registry.replaceNamespace("ns", specs(count, "old"), "o");
  return registry;
};

const operations: [name: string, prepare: (count: number) => () => void][] = [
  [
    "register",
    (count) => {
      const [registry, all] = [new ToolRegistry(), specs(count, "new")];
      return () => {
        for (const one of all) registry.register("ns", one);
      };
    },
  ],
  [
    "register, each in a namespace of its own",
    (count) => {
      const [registry, all] = [new ToolRegistry(), specs(count, "new")];
      return () => {
        for (const [i, one] of all.entries()) registry.replaceNamespace(`ns${i}`, [one], "o");
      };
    },
  ],
  [
    "replace by other definitions",
    (count) => {
      const [registry, all] = [filled(count), specs(count, "new")];
      return () => {
        expect(registry.replaceNamespace("ns", all, "o").updated).toHaveLength(count);
      };
    },
  ],
  [
    "replace by nothing",
    (count) => {
      const registry = filled(count);
      return () => {
        expect(registry.replaceNamespace("ns", [], "o").removed).toHaveLength(count);
      };
    },
  ],
  [
    "list",
    (count) => {
      const registry = filled(count);
      return () => {
        for (let i = 0; i < 10; i++)
          expect(registry.list({ names: "ns/tool_*" })).toHaveLength(count);
      };
    },
  ],
  [
    "unregister",
    (count) => {
      const registry = filled(count);
      const ids = registry.list().map(({ id }) => id);
      return () => {
        for (const id of ids) registry.unregister(id);
      };
    },
  ],
];

describe("20,000 tools cost per tool what 1,000 cost, to", () => {
  it.each(operations)(
    "%s",
    (_name, prepare) => {
      const small = perTool(1_000, () => prepare(1_000));
      const large = perTool(20_000, () => prepare(20_000));
      // Quadratic cost would give a factor of 20, and caches that are too small one of 5 or 6.
      expect(large / Math.max(small, 0.0002)).toBeLessThan(10);
    },
    60_000,
  );
});
