import { describe, expect, it } from "vitest";
import {
  type RegisteredTool,
  type ResultPart,
  resultParts,
  resultText,
  type ToolChange,
  type ToolContent,
  ToolRegistry,
  ToolRegistryError,
  type ToolResult,
  type ToolSpec,
  toolFailure,
  toolSuccess,
} from "../src/index.ts";
import { Random } from "./random.ts";
import { READS, said, spec, WRITES } from "./sample-tools.ts";

const NAMESPACES = ["a", "b", "__proto__"] as const;
const NAMES = ["x", "y", "z/w", "constructor"] as const;
const OWNERS = ["application", "mcp:one", "mcp:two"] as const;

/** What a registry should hold, kept in the plainest way. */
interface Expected {
  readonly id: string;
  readonly owner: string;
  says: string;
  removed: boolean;
}

/** One registry, its plain double, and every reference that was ever handed out. */
class Twin {
  readonly registry = new ToolRegistry();
  readonly random: Random;
  readonly kept: [RegisteredTool, Expected][] = [];
  readonly told: ToolChange[] = [];
  expected: Expected[] = [];
  #version = 0;

  constructor(seed: number) {
    this.random = new Random(seed);
    this.registry.onChange((change) => this.told.push(change));
  }

  step(): void {
    const namespace = this.random.pick(NAMESPACES);
    const action = this.random.below(4);
    if (action === 0) this.#register(namespace);
    else if (action === 1) this.#unregister(namespace);
    else this.#replace(namespace, this.random.pick(OWNERS));
    for (const tool of this.registry) {
      const expected = this.expected.find(({ id }) => id === tool.id);
      if (expected && this.random.next() < 0.2) this.kept.push([tool, expected]);
    }
  }

  #spec(name: string): ToolSpec {
    this.#version += 1;
    return spec(name, {
      says: `v${this.#version}`,
      description: this.random.pick(["one", "two"]),
      capability: this.random.pick([READS, WRITES]),
    });
  }

  #register(namespace: string): void {
    const one = this.#spec(this.random.pick(NAMES));
    const id = `${namespace}/${one.name}`;
    const isTaken = this.expected.some((held) => held.id === id);
    expect(this.#refused(() => this.registry.register(namespace, one))).toBe(
      isTaken ? "duplicate" : undefined,
    );
    if (!isTaken) this.#expect(id, "application");
  }

  #unregister(namespace: string): void {
    const id = `${namespace}/${this.random.pick(NAMES)}`;
    const held = this.expected.find((one) => one.id === id);
    expect(this.registry.unregister(id)).toBe(held !== undefined);
    if (held) this.#forget(held);
  }

  #replace(namespace: string, owner: string): void {
    const names = this.random.some(NAMES);
    const idOf = (name: string): string => `${namespace}/${name}`;
    const isTaken = names.some((name) =>
      this.expected.some((held) => held.id === idOf(name) && held.owner !== owner),
    );
    const first = this.#version;
    const specs = names.map((name) => this.#spec(name));
    const refused = this.#refused(() => this.registry.replaceNamespace(namespace, specs, owner));
    expect(refused).toBe(isTaken ? "id_taken" : undefined);
    if (isTaken) return;
    const mine = this.expected.filter(
      (held) => held.owner === owner && held.id.startsWith(`${namespace}/`),
    );
    for (const held of mine) if (!names.some((name) => idOf(name) === held.id)) this.#forget(held);
    for (const [index, name] of names.entries()) {
      const held = this.expected.find(({ id }) => id === idOf(name));
      if (held) held.says = `v${first + index + 1}`;
      else this.#expect(idOf(name), owner, first + index + 1);
    }
  }

  #refused(action: () => unknown): string | undefined {
    try {
      action();
      return undefined;
    } catch (error) {
      if (error instanceof ToolRegistryError) return error.code;
      throw error;
    }
  }

  #expect(id: string, owner: string, version = this.#version): void {
    this.expected.push({ id, owner, says: `v${version}`, removed: false });
  }

  #forget(held: Expected): void {
    held.removed = true;
    this.expected = this.expected.filter((one) => one !== held);
  }
}

describe("a registry over any sequence of changes", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])("holds what its plain double holds (seed %i)", async (seed) => {
    const twin = new Twin(seed);
    for (let i = 0; i < 150; i++) {
      twin.step();
      const { registry, expected } = twin;
      expect(registry.list().map(({ id, owner }) => [id, owner])).toEqual(
        expected.map(({ id, owner }) => [id, owner]),
      );
      expect(registry.size).toBe(expected.length);
    }
    for (const { id, says } of twin.expected)
      expect(said(await twin.registry.invoke(id))).toBe(says);
  });

  it.each([11, 12, 13])(
    "keeps its word on every reference ever handed out (seed %i)",
    async (seed) => {
      const twin = new Twin(seed);
      for (let i = 0; i < 100; i++) twin.step();
      expect(twin.kept.some(([, { removed }]) => removed)).toBe(true);
      for (const [tool, { removed, says }] of twin.kept) {
        const result = await tool.invoke();
        if (removed) expect(result.errorCode).toBe("no_longer_available");
        else expect(said(result)).toBe(says);
      }
    },
  );

  it.each([21, 22, 23])("tells changes that add up to what it holds (seed %i)", (seed) => {
    const twin = new Twin(seed);
    for (let i = 0; i < 150; i++) twin.step();
    const ids: string[] = [];
    for (const { added, updated, removed } of twin.told) {
      expect(updated.every((id) => ids.includes(id))).toBe(true);
      for (const id of removed) expect(ids.splice(ids.indexOf(id), 1)).toEqual([id]);
      expect(added.some((id) => ids.includes(id))).toBe(false);
      ids.push(...added);
    }
    expect(ids).toEqual([...twin.registry].map(({ id }) => id));
  });
});

describe("overrides in any order", () => {
  const FIELDS = ["read_only", "writes", "destructive", "idempotent", "open_world"] as const;

  /** Applies random fields; those that contradict each other must be refused. */
  function applyRandom(registry: ToolRegistry, random: Random, origin: string): void {
    const chosen = random.some(FIELDS, 0.4).map((field) => [field, random.next() < 0.5] as const);
    const overrides: Partial<Record<string, boolean>> = Object.fromEntries(chosen);
    const { read_only, writes, destructive } = overrides;
    const apply = (): unknown => registry.applyOverrides({ name: "a/x", overrides }, { origin });
    if (read_only && (writes || destructive)) expect(apply).toThrow("both");
    else apply();
  }

  function expectSound({ capability, overrides }: RegisteredTool): void {
    const { effect, readOnly, writes, destructive, because } = capability;
    const known = readOnly ? "read" : "unknown";
    expect(effect).toBe(writes ? "write" : known);
    expect(readOnly && (writes || destructive === true)).toBe(false);
    const values: Record<string, unknown> = { ...capability };
    expect(because.filter(({ about, says }) => values[about] !== says)).toEqual([]);
    expect(overrides.filter(({ field, value }) => values[field] !== value)).toEqual([]);
  }

  it.each([31, 32, 33, 34, 35, 36])(
    "leave a capability that agrees with itself (seed %i)",
    (seed) => {
      const random = new Random(seed);
      for (let round = 0; round < 200; round++) {
        const registry = new ToolRegistry();
        registry.register("a", spec("x", { capability: random.pick([READS, WRITES]) }));
        for (const origin of ["one", "two", "three", "four"]) {
          applyRandom(registry, random, origin);
          for (const tool of registry) expectSound(tool);
        }
      }
    },
  );

  it.each([41, 42])("from third parties never make a tool look safer (seed %i)", (seed) => {
    const random = new Random(seed);
    const rank = (value: boolean | null | undefined): number => (value === true ? 1 : 0);
    for (let round = 0; round < 200; round++) {
      const registry = new ToolRegistry();
      registry.register("a", spec("x", { capability: random.pick([READS, WRITES]) }));
      for (const [field, value] of [
        ["read_only", true],
        ["writes", true],
        ["destructive", false],
      ] as const) {
        if (random.next() < 0.3) {
          registry.applyOverrides(
            { name: "a/x", overrides: { [field]: value } },
            { origin: "app" },
          );
        }
      }
      const before = registry.get("a/x")?.capability;
      const stricter = {
        read_only: false,
        writes: true,
        destructive: true,
        idempotent: false,
        open_world: true,
      };
      const chosen = Object.fromEntries(random.some(Object.entries(stricter)));
      const options = { origin: "vendor", onlyStricter: true };
      registry.applyOverrides({ name: "a/x", overrides: chosen }, options);
      const after = registry.get("a/x")?.capability;
      expect(rank(after?.readOnly)).toBeLessThanOrEqual(rank(before?.readOnly));
      expect(rank(after?.idempotent)).toBeLessThanOrEqual(rank(before?.idempotent));
      expect(rank(after?.writes)).toBeGreaterThanOrEqual(rank(before?.writes));
      expect(rank(after?.destructive)).toBeGreaterThanOrEqual(rank(before?.destructive));
      expect(rank(after?.openWorld)).toBeGreaterThanOrEqual(rank(before?.openWorld));
    }
  });
});

describe("results of any shape", () => {
  const junk = (random: Random, depth = 0): unknown =>
    random.pick<() => unknown>([
      () => null,
      () => undefined,
      () => random.below(100) - 50,
      () => random.next() < 0.5,
      () => "text ".repeat(random.below(5)),
      () => "iVBORw0KGgo=".slice(0, random.below(13)),
      () => "data:image/png;base64,AAAA",
      () =>
        depth > 3 ? [] : Array.from({ length: random.below(4) }, () => junk(random, depth + 1)),
      () => {
        const keys = ["type", "text", "data", "mimeType", "resource", "uri", "blob", "__proto__"];
        return depth > 3
          ? {}
          : Object.fromEntries(random.some(keys).map((key) => [key, junk(random, depth + 1)]));
      },
    ])();

  const TYPES = ["text", "image", "audio", "resource", "resource_link", "video", "odd"] as const;

  const block = (random: Random): ToolContent => {
    const value = junk(random);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return (isObject ? { ...value, type: random.pick(TYPES) } : value) as ToolContent;
  };

  function expectPart(part: ResultPart): void {
    expect(["text", "image", "audio", "file", "link"]).toContain(part.type);
    if ("data" in part) expect(part.data).toMatch(/^[A-Za-z0-9+/_-]+={0,2}$/);
    if (part.type === "text") expect(part.text).toBeTypeOf("string");
  }

  it.each([51, 52, 53])("give parts and text, never a throw (seed %i)", (seed) => {
    const random = new Random(seed);
    for (let round = 0; round < 500; round++) {
      const content = Array.from({ length: random.below(4) }, () => block(random));
      const said = { content, structuredContent: junk(random) };
      const failure = toolFailure("server_error", "failed", said);
      const result = random.pick<ToolResult>([toolSuccess(said), failure]);
      const parts = resultParts(result);
      expect(parts.length).toBeGreaterThanOrEqual(Math.min(content.length, 1));
      for (const part of parts) expectPart(part);
      const cut = resultText(result, { maxBytes: 64 });
      expect(new TextEncoder().encode(cut).length).toBeLessThanOrEqual(64);
      if (cut !== resultText(result)) expect(cut).toContain("bytes cut");
    }
  });
});
