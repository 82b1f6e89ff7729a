import { describe, expect, it } from "vitest";
import { inferCapabilities } from "../src/index.ts";
import cases from "./fixtures/names.json" with { type: "json" };

interface NameCase {
  readonly id: string;
  readonly toolName: string | readonly string[];
  readonly annotations?: unknown;
  readonly check: {
    readonly readOnly?: boolean;
    readonly tolerateWrite?: readonly string[];
    readonly readOnlyNames?: readonly string[];
    readonly writeNames?: readonly string[];
  };
}

const nameCases: readonly NameCase[] = cases;

describe.each(nameCases)("$id", ({ toolName, annotations, check }) => {
  const readOnly = (name: string): boolean => inferCapabilities({ name, annotations }).readOnly;
  const names = typeof toolName === "string" ? [toolName] : toolName;

  it("is judged as the case demands", () => {
    for (const name of names) {
      const tolerated = check.tolerateWrite?.includes(name) ?? false;
      if (check.readOnly !== undefined && !tolerated)
        expect(readOnly(name), name).toBe(check.readOnly);
    }
    for (const name of check.readOnlyNames ?? []) expect(readOnly(name), name).toBe(true);
    for (const name of check.writeNames ?? [])
      expect(inferCapabilities(name).writes, name).toBe(true);
    expect(Object.keys(check).length).toBeGreaterThan(0);
  });
});

it("the fixture holds the seven cases about capabilities", () => {
  expect(nameCases.map(({ id }) => id.slice(0, 7))).toEqual(
    ["06", "07", "08", "09", "10", "11", "12"].map((number) => `name-${number}`),
  );
});

it("what the cases tolerate is read all the same", () => {
  for (const name of ["read_update_log", "get_deleted_items"]) {
    expect(inferCapabilities(name).readOnly, name).toBe(true);
  }
});
