import { describe, expect, it } from "vitest";
import { copyData, freezeData, isRecord, jsonData, sameData } from "../src/data.ts";

const deep = (levels: number): unknown => {
  let value: unknown = "x";
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { value };
  return value;
};

const cycle = (): Record<string, unknown> => {
  const value: Record<string, unknown> = { list: [] };
  (value["list"] as unknown[]).push(value);
  return value;
};

describe("isRecord", () => {
  it.each([[{}], [Object.create(null)], [JSON.parse('{"__proto__":1}')]])("takes %j", (value) => {
    expect(isRecord(value)).toBe(true);
  });

  it.each([
    [[]],
    [null],
    [undefined],
    ["x"],
    [5],
    [() => 1],
    [new Map()],
    [new Date()],
    [new Error()],
  ])("refuses %s", (value) => {
    expect(isRecord(value)).toBe(false);
  });
});

describe("copyData", () => {
  it("copies plain data all the way down, and nothing else", () => {
    const when = new Date(0);
    const original = { a: [1, { b: null }], when, none: undefined, f: isRecord };
    const copy = copyData(original);
    expect(copy).toEqual(original);
    expect(copy).not.toBe(original);
    expect(copy.a).not.toBe(original.a);
    expect(copy.a[1]).not.toBe(original.a[1]);
    expect(copy.when).toBe(when);
    expect(copy.f).toBe(isRecord);
  });

  it("keeps own __proto__ keys as data", () => {
    const original = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":1}}');
    const copy = copyData(original);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(original));
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("keeps the length of lists, and what is shared or cyclic", () => {
    expect(copyData(new Array(3))).toHaveLength(3);
    const shared = { a: 1 };
    const copy = copyData({ x: shared, y: shared });
    expect(copy.x).toBe(copy.y);
    const loop = copyData(cycle());
    expect((loop["list"] as unknown[])[0]).toBe(loop);
  });

  it("copies any depth", () => {
    expect(sameData(copyData(deep(300_000)), deep(300_000))).toBe(true);
  });

  it("gives scalars back", () => {
    for (const value of [null, undefined, 0, "", true, 5n]) expect(copyData(value)).toBe(value);
  });
});

describe("sameData", () => {
  it.each<[unknown, unknown]>([
    [
      { a: 1, b: [1, 2] },
      { b: [1, 2], a: 1 },
    ],
    [Number.NaN, Number.NaN],
    [[], []],
    [Object.create(null), {}],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":1}')],
  ])("finds %j and %j the same", (a, b) => {
    expect(sameData(a, b)).toBe(true);
    expect(sameData(b, a)).toBe(true);
  });

  it.each<[unknown, unknown]>([
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { b: 1 }],
    [{ a: undefined }, {}],
    [{ a: undefined }, { b: undefined }],
    [
      [1, 2],
      [2, 1],
    ],
    [[1], [1, 2]],
    [new Array(1), new Array(2)],
    [[], {}],
    [{ 0: "a" }, ["a"]],
    ["1", 1],
    [null, {}],
    [0, -0],
    [new Date(0), new Date(0)],
    [JSON.parse('{"__proto__":1}'), {}],
    [{ toString: 1 }, { valueOf: 1 }],
  ])("finds %j and %j different", (a, b) => {
    expect(sameData(a, b)).toBe(false);
    expect(sameData(b, a)).toBe(false);
  });

  it("ends on cycles", () => {
    expect(sameData(cycle(), cycle())).toBe(true);
    expect(sameData(cycle(), { list: [{ list: [] }] })).toBe(false);
  });
});

describe("freezeData", () => {
  it("freezes plain data all the way down, whatever its shape, and nothing else", () => {
    const when = new Date(0);
    const frozen = freezeData({
      a: [{ b: 1 }],
      none: undefined,
      when,
      loop: cycle(),
      deep: deep(100_000),
    });
    expect(Object.isFrozen(frozen)).toBe(true);
    expect(Object.isFrozen(frozen.a[0])).toBe(true);
    expect(Object.isFrozen(frozen.loop["list"])).toBe(true);
    expect(Object.isFrozen(when)).toBe(false);
  });
});

describe("jsonData", () => {
  it("is a frozen copy as JSON carries it", () => {
    const copy = jsonData({ a: [1], none: undefined });
    expect(copy).toEqual({ a: [1] });
    expect(Object.isFrozen(copy["a"])).toBe(true);
  });

  it.each([[cycle()], [{ n: 5n }], [{ deep: deep(100_000) }]])(
    "throws for what is no JSON",
    (value) => {
      expect(() => jsonData(value)).toThrow();
    },
  );
});
