import { modelNames } from "@x/tool-registry";
import { describe, expect, it, vi } from "vitest";
import { ownName, registeredNames } from "../src/names.ts";

vi.mock("@x/tool-registry", { spy: true });

const legal = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

describe("registered names", () => {
  it.each([
    ["read_file", "fs", "fs_read_file"],
    ["read_file", undefined, "read_file"],
    ["read_file", "", "read_file"],
    ["files.read/v1", "acme", expect.stringMatching(/^acme_files_read_v1_[0-9a-z]{10}$/)],
    ["wörter zählen", "My Tools", expect.stringMatching(/^My_Tools_w_rter_z_hlen_[0-9a-z]{10}$/)],
    ["9lives", undefined, expect.stringMatching(legal)],
    ["x".repeat(90), "ns", expect.stringMatching(legal)],
    ["constructor", undefined, "constructor"],
    ["__proto__", undefined, "__proto__"],
  ])("of %j in %j is %j", (native, namespace, expected) => {
    expect(registeredNames([native], namespace).get(native)).toEqual(expected);
  });

  it("are distinct where what is left of them is the same", () => {
    const natives = [
      "read-page",
      "read_page",
      "read.page",
      "read page",
      `${"x".repeat(80)}1`,
      `${"x".repeat(80)}2`,
    ];
    const names = [...registeredNames(natives, "ns").values()];
    expect(new Set(names).size).toBe(natives.length);
    for (const name of names) expect(name).toMatch(legal);
  });

  it("depend neither on order nor on neighbours", () => {
    const natives = ["a.b", "c", "ü", "read file"];
    const all = registeredNames(natives, "ns");
    for (const native of natives) {
      expect(registeredNames([native], "ns").get(native)).toBe(all.get(native));
    }
    const reversed = registeredNames([...natives].reverse(), "ns");
    expect(Object.fromEntries(reversed)).toEqual(Object.fromEntries(all));
  });

  it("cannot be forged: one that looks like a hash is hashed", () => {
    const forged = registeredNames(["a.b"], undefined).get("a.b") ?? "";
    expect(registeredNames(["a.b", forged], undefined).get(forged)).not.toBe(forged);
  });

  it("that meet all the same are refused aloud", () => {
    const clash = { name: "a_0123456789", ids: ["a.b", "a/b"] };
    vi.mocked(modelNames).mockReturnValueOnce({
      clashes: [clash],
      toModel: () => clash.name,
      toId: () => undefined,
    });
    expect(() => registeredNames(clash.ids, undefined)).toThrow(
      expect.objectContaining({
        code: "duplicate_name",
        message: "a.b and a/b would both be registered as a_0123456789",
      }),
    );
  });
});

describe("a name of this package's own", () => {
  it.each([
    [undefined, [], "mcp_read"],
    ["", [], "mcp_read"],
    ["ns", [], "ns_read"],
    ["ns", ["ns_read"], "ns_read_2"],
    ["ns", ["ns_read", "ns_read_2"], "ns_read_3"],
    ["a/b", [], expect.stringMatching(/^a_b_read_[0-9a-z]{10}$/)],
  ])("in %j beside %j is %j", (namespace, taken, expected) => {
    expect(ownName("read", namespace, new Set(taken))).toEqual(expected);
  });
});
