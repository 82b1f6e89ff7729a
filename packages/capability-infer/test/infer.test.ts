import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type Capability,
  type Conflict,
  type Effect,
  type Evidence,
  type InferOptions,
  inferCapabilities,
} from "../src/index.ts";

type Verdict = Pick<Capability, "effect" | "destructive" | "idempotent" | "openWorld">;

function judge(name: string, annotations: unknown, options?: InferOptions): Verdict {
  const { effect, destructive, idempotent, openWorld } = inferCapabilities(
    { name, annotations },
    options,
  );
  return { effect, destructive, idempotent, openWorld };
}

const reads: Verdict = { effect: "read", destructive: false, idempotent: true, openWorld: null };
const writes: Verdict = { effect: "write", destructive: null, idempotent: null, openWorld: null };
const destroys: Verdict = { effect: "write", destructive: true, idempotent: null, openWorld: null };
const unknown: Verdict = {
  effect: "unknown",
  destructive: null,
  idempotent: null,
  openWorld: null,
};

describe("the name alone", () => {
  it.each<[name: string, verdict: Verdict]>([
    ["get_issue", reads],
    ["create_issue", writes],
    ["delete_issue", destroys],
    ["fetch_and_delete_mail", destroys],
    ["kill_process", destroys],
    ["frobnicate", unknown],
    ["export_data", unknown],
  ])("%s", (name, verdict) => {
    expect(inferCapabilities(name)).toMatchObject(verdict);
    expect(inferCapabilities({ name })).toEqual(inferCapabilities(name));
  });

  it("says why a tool is destructive", () => {
    expect(inferCapabilities("delete_issue").because).toEqual([
      {
        about: "writes",
        says: true,
        from: "name",
        trusted: false,
        detail: "`delete` is a writing verb, first word",
      },
      {
        about: "destructive",
        says: true,
        from: "name",
        trusted: false,
        detail: "`delete` is a writing verb, first word; it destroys",
      },
    ]);
  });
});

describe("untrusted hints only make the verdict stricter", () => {
  it.each<[name: string, hints: object, verdict: Verdict]>([
    ["get_issue", { readOnlyHint: true }, reads],
    ["get_issue", { readOnlyHint: false }, writes],
    ["get_issue", { destructiveHint: true }, destroys],
    ["get_issue", { destructiveHint: false }, reads],
    ["get_issue", { idempotentHint: true }, reads],
    ["get_issue", { idempotentHint: false }, { ...reads, idempotent: false }],
    ["get_issue", { openWorldHint: true }, { ...reads, openWorld: true }],
    ["get_issue", { openWorldHint: false }, reads],
    ["get_issue", { readOnlyHint: true, destructiveHint: true }, destroys],
    ["create_issue", { readOnlyHint: true }, writes],
    ["create_issue", { readOnlyHint: false }, writes],
    ["create_issue", { destructiveHint: true }, destroys],
    ["create_issue", { destructiveHint: false }, writes],
    ["create_issue", { idempotentHint: true }, writes],
    ["create_issue", { idempotentHint: false }, { ...writes, idempotent: false }],
    ["create_issue", { openWorldHint: false }, writes],
    ["delete_issue", { readOnlyHint: true, destructiveHint: false }, destroys],
    ["frobnicate", { readOnlyHint: true }, unknown],
    ["frobnicate", { readOnlyHint: false }, writes],
    ["frobnicate", { destructiveHint: true }, destroys],
    [
      "frobnicate",
      { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
      unknown,
    ],
  ])("%s with %j", (name, hints, verdict) => {
    expect(judge(name, hints)).toEqual(verdict);
    expect(judge(name, hints, { trust: "none" })).toEqual(verdict);
  });

  it("never turns a verdict towards harmless, whatever the combination", () => {
    const values = [undefined, true, false];
    for (const name of ["get_issue", "create_issue", "delete_issue", "frobnicate"]) {
      const alone = inferCapabilities(name);
      for (let code = 0; code < 81; code++) {
        const hint = (place: number): boolean | undefined => values[Math.floor(code / place) % 3];
        const annotations = {
          readOnlyHint: hint(1),
          destructiveHint: hint(3),
          idempotentHint: hint(9),
          openWorldHint: hint(27),
        };
        const verdict = inferCapabilities({ name, annotations });
        const seen = JSON.stringify({ name, annotations });
        expect(verdict.readOnly && !alone.readOnly, seen).toBe(false);
        expect(!verdict.writes && alone.writes, seen).toBe(false);
        expect(verdict.destructive === false && alone.destructive !== false, seen).toBe(false);
        expect(verdict.idempotent === true && alone.idempotent !== true, seen).toBe(false);
        expect(verdict.openWorld, seen).not.toBe(false);
        expect(
          verdict.because.some((evidence) => evidence.trusted),
          seen,
        ).toBe(false);
      }
    }
  });
});

describe("trusted hints decide", () => {
  const trust: InferOptions = { trust: "annotations" };

  it.each<[name: string, hints: object, verdict: Verdict]>([
    ["create_issue", { readOnlyHint: true }, reads],
    ["get_issue", { readOnlyHint: false }, writes],
    ["frobnicate", { readOnlyHint: true }, reads],
    ["delete_issue", { readOnlyHint: true }, reads],
    ["delete_issue", { destructiveHint: false }, { ...destroys, destructive: false }],
    ["delete_issue", { readOnlyHint: false }, destroys],
    ["frobnicate", { destructiveHint: false }, { ...unknown, destructive: false }],
    ["create_issue", { idempotentHint: true }, { ...writes, idempotent: true }],
    ["create_issue", { openWorldHint: false }, { ...writes, openWorld: false }],
    ["get_issue", { destructiveHint: true }, destroys],
    ["get_issue", { readOnlyHint: true, destructiveHint: true }, destroys],
    ["get_issue", {}, reads],
    ["frobnicate", {}, unknown],
  ])("%s with %j", (name, hints, verdict) => {
    expect(judge(name, hints, trust)).toEqual(verdict);
  });

  it("marks only what counts as trusted", () => {
    const annotations = { readOnlyHint: true, destructiveHint: true, idempotentHint: true };
    expect(inferCapabilities({ name: "frobnicate", annotations }, trust).because.slice(1)).toEqual([
      {
        about: "readOnly",
        says: true,
        from: "annotations",
        trusted: false,
        detail: "annotations.readOnlyHint is true (not counted: destructiveHint is true)",
      },
      {
        about: "destructive",
        says: true,
        from: "annotations",
        trusted: true,
        detail: "annotations.destructiveHint is true (trusted)",
      },
      {
        about: "idempotent",
        says: true,
        from: "annotations",
        trusted: true,
        detail: "annotations.idempotentHint is true (trusted)",
      },
    ]);
  });

  it("takes any other value of `trust` for none", () => {
    const options = JSON.parse('{ "trust": "yes" }');
    expect(judge("create_issue", { readOnlyHint: true }, options)).toEqual(writes);
  });
});

describe("evidence", () => {
  it("lists the name first and then every hint, counted or not", () => {
    const annotations = { openWorldHint: true, readOnlyHint: true };
    expect(inferCapabilities({ name: "create_issue", annotations }).because).toEqual([
      {
        about: "writes",
        says: true,
        from: "name",
        trusted: false,
        detail: "`create` is a writing verb, first word",
      },
      {
        about: "readOnly",
        says: true,
        from: "annotations",
        trusted: false,
        detail: "annotations.readOnlyHint is true (untrusted: not counted)",
      },
      {
        about: "openWorld",
        says: true,
        from: "annotations",
        trusted: false,
        detail: "annotations.openWorldHint is true (untrusted: counted, being the stricter)",
      },
    ]);
  });

  it("is free of contradiction between effect, readOnly and writes", () => {
    for (const name of ["get_x", "create_x", "x"]) {
      const { effect, readOnly, writes } = inferCapabilities(name);
      expect({ readOnly, writes }).toEqual({
        readOnly: effect === "read",
        writes: effect === "write",
      });
    }
  });
});

describe("conflicts", () => {
  it.each<[name: string, hints: object, conflict: Omit<Conflict, "detail">, winner: string]>([
    [
      "delete_project",
      { readOnlyHint: true },
      { about: "readOnly", name: false, hint: true },
      "the name stands",
    ],
    [
      "get_project",
      { readOnlyHint: false },
      { about: "readOnly", name: true, hint: false },
      "the hint stands",
    ],
    [
      "get_project",
      { destructiveHint: true },
      { about: "destructive", name: false, hint: true },
      "the hint stands",
    ],
    [
      "delete_project",
      { destructiveHint: false },
      { about: "destructive", name: true, hint: false },
      "the name stands",
    ],
  ])("%s with %j", (name, annotations, conflict, winner) => {
    const { conflicts } = inferCapabilities({ name, annotations });
    expect(conflicts).toEqual([{ ...conflict, detail: expect.stringContaining(winner) }]);
    expect(conflicts[0]?.detail).toMatch(
      /^`(delete|get)` is a (writing|reading) verb, first word; annotations\./,
    );
  });

  it("lets a trusted hint stand, and still reports it", () => {
    const tool = { name: "delete_project", annotations: { readOnlyHint: true } };
    const { readOnly, conflicts } = inferCapabilities(tool, { trust: "annotations" });
    expect(readOnly).toBe(true);
    expect(conflicts[0]?.detail).toContain("the hint stands");
  });

  it.each<[name: string, hints: object]>([
    ["frobnicate", { readOnlyHint: true, destructiveHint: true }],
    [
      "get_x",
      { readOnlyHint: true, destructiveHint: false, idempotentHint: false, openWorldHint: true },
    ],
    ["create_x", { readOnlyHint: false, destructiveHint: true, idempotentHint: true }],
    ["create_x", { destructiveHint: false }],
    ["get_x", {}],
  ])("there is none in %s with %j", (name, annotations) => {
    expect(inferCapabilities({ name, annotations }).conflicts).toEqual([]);
  });
});

describe("types", () => {
  it("keep the contract of the design", () => {
    expectTypeOf(inferCapabilities).returns.toEqualTypeOf<Capability>();
    expectTypeOf<Capability["effect"]>().toEqualTypeOf<"read" | "write" | "unknown">();
    expectTypeOf<Capability["effect"]>().toEqualTypeOf<Effect>();
    expectTypeOf<Capability["readOnly"]>().toEqualTypeOf<boolean>();
    expectTypeOf<Capability["destructive"]>().toEqualTypeOf<boolean | null>();
    expectTypeOf<Capability["idempotent"]>().toEqualTypeOf<boolean | null>();
    expectTypeOf<Capability["openWorld"]>().toEqualTypeOf<boolean | null>();
    expectTypeOf<Evidence>().toEqualTypeOf<{
      readonly about: "readOnly" | "writes" | "destructive" | "idempotent" | "openWorld";
      readonly says: boolean;
      readonly from: "name" | "annotations" | "override";
      readonly trusted: boolean;
      readonly detail: string;
    }>();
    expectTypeOf(inferCapabilities).parameter(0).toExtend<string | { readonly name: string }>();
    expectTypeOf<{ name: string; annotations: { readOnlyHint?: boolean } | undefined }>().toExtend<
      Parameters<typeof inferCapabilities>[0]
    >();
  });
});
