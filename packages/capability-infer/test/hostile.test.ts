import { describe, expect, it } from "vitest";
import { inferCapabilities, inferFromBaseTable, splitName } from "../src/index.ts";

const alone = inferCapabilities("get_issue");

describe("annotations from a hostile server", () => {
  const throwing = {
    get readOnlyHint(): boolean {
      throw new Error("no");
    },
    destructiveHint: false,
  };
  const cyclic: Record<string, unknown> = { readOnlyHint: "true" };
  cyclic["self"] = cyclic;
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();

  it.each<[what: string, annotations: unknown]>([
    ["null", null],
    ["text", "readOnlyHint"],
    ["a number", 0],
    ["an array", [{ readOnlyHint: false }]],
    ["a function", (): void => undefined],
    ["text for a boolean", { readOnlyHint: "false", destructiveHint: "true" }],
    ["numbers for booleans", { readOnlyHint: 0, destructiveHint: 1 }],
    ["boxed booleans", { readOnlyHint: Object(false), destructiveHint: Object(true) }],
    ["null hints", { readOnlyHint: null, destructiveHint: null }],
    [
      "an own __proto__",
      JSON.parse('{ "__proto__": { "readOnlyHint": false, "destructiveHint": true } }'),
    ],
    ["inherited hints", Object.create({ readOnlyHint: false, destructiveHint: true })],
    ["hints under other names", { readonlyhint: false, ReadOnlyHint: false }],
    ["a cycle", cyclic],
    ["a revoked proxy", revoked.proxy],
    ["a bare object", Object.create(null)],
  ])("%s says nothing", (_what, annotations) => {
    expect(inferCapabilities({ name: "get_issue", annotations })).toEqual(alone);
    expect(inferCapabilities({ name: "get_issue", annotations }, { trust: "annotations" })).toEqual(
      alone,
    );
  });

  it("reads the hints beside one that throws", () => {
    const verdict = inferCapabilities({ name: "get_issue", annotations: throwing });
    expect(verdict.because.map((evidence) => evidence.about)).toEqual(["readOnly", "destructive"]);
  });

  it("touches no prototype", () => {
    const before = Object.getOwnPropertyNames(Object.prototype);
    for (const name of [
      "__proto__",
      "constructor",
      "toString",
      "hasOwnProperty",
      "get___proto__",
    ]) {
      const annotations = JSON.parse('{ "__proto__": { "polluted": true }, "constructor": false }');
      expect(() => inferCapabilities({ name, annotations })).not.toThrow();
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(before);
    expect(inferCapabilities("constructor").effect).toBe("unknown");
  });
});

describe("a tool that is none", () => {
  it.each(["null", "1", "[]", "{}", '{ "name": 7 }', '{ "name": null, "annotations": 3 }'])(
    "%s is unknown",
    (json) => {
      expect(inferCapabilities(JSON.parse(json)).effect).toBe("unknown");
    },
  );

  it("asks an accessor for name and annotations, and survives one that throws", () => {
    class Listed {
      get name(): string {
        return "get_issue";
      }
      get annotations(): object {
        return { readOnlyHint: false };
      }
    }
    expect(inferCapabilities(new Listed()).effect).toBe("write");
    const broken = {
      get name(): string {
        throw new Error("no");
      },
    };
    expect(inferCapabilities(broken).effect).toBe("unknown");
  });
});

describe("any string is a name", () => {
  it("10,000 random strings give a whole verdict", () => {
    let seed = 42;
    const random = (below: number): number => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
      return Math.floor((seed / 2_147_483_648) * below);
    };
    const pieces = [
      "get",
      "delete",
      "_",
      "-",
      "and",
      "list",
      "Set",
      "\ud800",
      "\udfff",
      "é",
      "\u0301",
      "\0",
      "2",
    ];
    for (let round = 0; round < 10_000; round++) {
      const length = random(12);
      const name = Array.from({ length }, () =>
        random(3) === 0 ? String.fromCharCode(random(65_536)) : pieces[random(pieces.length)],
      ).join("");
      const { effect, readOnly, writes, because } = inferCapabilities(name);
      expect([readOnly, writes]).toEqual([effect === "read", effect === "write"]);
      expect(because.length).toBeGreaterThan(0);
      expect(splitName(name).every((word) => word.length > 0)).toBe(true);
    }
  });

  it("a writing word that no other word can turn into a noun always wins over get", () => {
    for (const word of ["delete", "create", "write", "remove", "send", "execute", "click"]) {
      for (const name of [
        `get_${word}`,
        `${word}_get`,
        `list_x_${word}_y`,
        `x_${word}`,
        `read${word.toUpperCase()}`,
      ]) {
        expect(inferCapabilities(name).readOnly, name).toBe(false);
      }
    }
  });

  it.each<[what: string, name: string]>([
    ["one long word", `get_${"x".repeat(1_000_000)}`],
    ["a million capitals", `${"A".repeat(1_000_000)}b`],
    ["a million marks", `e${"\u0301".repeat(1_000_000)}`],
    ["half a million words", "get_".repeat(500_000)],
    ["half a million nouns", "comment_".repeat(100_000)],
    ["lone surrogates", "\ud800".repeat(1_000_000)],
    ["separators", "_".repeat(1_000_000)],
    ["expanding letters", "\ufdfa".repeat(50_000)],
  ])("%s", (_what, name) => {
    const { because, conflicts } = inferCapabilities({
      name,
      annotations: { readOnlyHint: false },
    });
    for (const { detail } of [...because, ...conflicts]) expect(detail.length).toBeLessThan(300);
    expect(inferFromBaseTable(name).writes).toBe(false);
  });

  it("a name of more than 64 words is not judged", () => {
    expect(inferCapabilities(`get_${"x_".repeat(63)}`).effect).toBe("read");
    expect(inferCapabilities(`get_${"x_".repeat(64)}`)).toMatchObject({
      effect: "unknown",
      because: [{ detail: "the name has more than 64 words" }],
    });
  });

  it.each<[what: string, piece: string]>([
    ["words", "get_"],
    ["capitals", "A"],
    ["capitals with marks", "A\u0301"],
    ["camel case", "getX"],
    ["digits", "1a"],
    ["marks", "\u0301"],
  ])("time grows with the length, not with its square: %s", (_what, piece) => {
    const time = (repeats: number): number => {
      const name = `x${piece.repeat(repeats)}y`;
      const runs = Array.from({ length: 3 }, () => {
        const start = performance.now();
        inferCapabilities(name);
        splitName(name);
        return performance.now() - start;
      });
      return Math.min(...runs);
    };
    time(2_000);
    const short = Math.max(time(30_000), 0.5);
    // 10 times the length: 10 times the time if linear, 100 times if quadratic.
    expect(time(300_000) / short).toBeLessThan(50);
  });
});
