import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { modelNames } from "../src/index.ts";
import { sha256 } from "../src/sha256.ts";
import nameCases from "./fixtures/name-cases.json" with { type: "json" };
import realToolNames from "./fixtures/real-tool-names.json" with { type: "json" };
import { Random } from "./random.ts";
import { thrownBy } from "./sample-tools.ts";

const LEGAL = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const HASHED = /^(.*)_[0-9bcdfghj-np-z]{10}$/;

const nameOf = (id: string, kind?: "plain"): string =>
  modelNames([id], kind === undefined ? {} : { kind }).toModel(id);

/** Two ids of one readable part whose SHA-256 begin with the same 50 bits. */
const FORGED = ["1f7cfa09148f9", "14a8f68901209"].map((tail) => `n/${"a".repeat(62)}${tail}`);

describe("sha256", () => {
  it.each([
    ["", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"],
    ["abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"],
    [
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
    ],
    [
      "abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu",
      "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1",
    ],
    ["a".repeat(1_000_000), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"],
  ])("gives the digests of FIPS 180-4", (text, digest) => {
    expect(Buffer.from(sha256(new TextEncoder().encode(text))).toString("hex")).toBe(digest);
  });

  it("agrees with the platform for every length around the block size", () => {
    const random = new Random(1);
    for (let length = 0; length < 200; length++) {
      const bytes = Uint8Array.from({ length }, () => random.below(256));
      const expected = createHash("sha256").update(bytes).digest("hex");
      expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(expected);
    }
  });
});

describe("modelNames", () => {
  it.each([
    ["github/create_issue", "github__create_issue"],
    ["a/b", "a__b"],
    ["_private/x", "_private__x"],
    ["my-server/do-it", "my-server__do-it"],
    ["files/3d_render", "files__3d_render"],
    ["files/-x", "files__-x"],
    ["a/get_", "a__get_"],
    ["A/B", "A__B"],
    [`ns/${"t".repeat(60)}`, `ns__${"t".repeat(60)}`],
    ["github/create_repository", "github__create_repository"],
    ["maps/maps_directions", "maps__maps_directions"],
  ])("joins the parts of %s where that reads in one way", (id, name) => {
    expect(nameOf(id)).toBe(name);
  });

  it.each([
    ["a namespace that holds __", "team__a/do", "team_a_do"],
    ["a tool that holds __", "team/do__it", "team_do_it"],
    ["a namespace that ends with _", "team_/do", "team_do"],
    ["a tool that begins with _", "team/_do", "team_do"],
    ["a dot", "n/resource.read:v2", "n_resource_read_v2"],
    ["a slash in the tool", "My Tools/admin.tools/list", "My_Tools_admin_tools_list"],
    ["letters beyond ASCII", "My Tools/wörter zählen", "My_Tools_w_rter_z_hlen"],
    ["a namespace that begins with a digit", "3d/render", "tool_3d_render"],
    ["a namespace that begins with -", "-x/y", "tool_-x_y"],
    ["nothing readable", "日本/語", "tool"],
    ["one letter too many", `ns/${"t".repeat(61)}`, `ns_${"t".repeat(50)}`],
    ["an empty tool", "ns/", "ns"],
    ["an empty namespace", "/x", "x"],
    ["no namespace", "x", "x"],
    ["nothing at all", "", "tool"],
    ["a line break", "ns/x\n", "ns_x"],
    ["the look of a generated name", "ns/read_0123456789", "ns_read_0123456789"],
    ["a tool that looks like a hash", "ns/bcdfghjklm", "ns_bcdfghjklm"],
  ])("hashes an id with %s", (_what, id, readable) => {
    const name = nameOf(id);
    expect(name).toMatch(LEGAL);
    expect(HASHED.exec(name)?.[1]).toBe(readable);
    expect(name).not.toContain("__");
    expect(modelNames([id]).toId(name)).toBe(id);
  });

  it("hashes the whole original: 10 digits of base 32 from the first 50 bits of its SHA-256", () => {
    const id = "ns/read.page";
    const digest = createHash("sha256").update(id).digest();
    let bits = digest.readBigUInt64BE() >> 14n;
    let digits = "";
    for (let i = 0; i < 10; i++) {
      digits = "0123456789bcdfghjklmnpqrstuvwxyz".charAt(Number(bits % 32n)) + digits;
      bits /= 32n;
    }
    expect(nameOf(id)).toBe(`ns_read_page_${digits}`);
    expect(nameOf(id)).toBe("ns_read_page_r6j1kvd6s7");
  });

  it("cuts a long namespace before the tool, and never in the hash", () => {
    const long = "harbour-records-service-europe-west";
    expect(nameOf(`${long}/createBerthReservationWithAttachmentsAndNotes`)).toMatch(
      /^harbour-records-serv_createBerthReservationWithAttach_[0-9a-z]{10}$/,
    );
    expect(nameOf(`${long.repeat(3)}/delete.all`)).toMatch(
      /^harbour-records-service-europe-westharbour_delete_all_[0-9a-z]{10}$/,
    );
    for (let length = 1; length < 200; length++) {
      for (const id of [`${"_-".repeat(length)}/x`, `ns/${"x_".repeat(length)}.`]) {
        expect(nameOf(id)).toMatch(LEGAL);
      }
    }
  });

  it("knows lone surrogates apart", () => {
    const ids = [
      "ns/\ud800",
      "ns/\ud801",
      "ns/\udc00",
      "ns/\ufffd",
      "ns/\u{10000}",
      "ns/x\ud800",
      "ns/\u{10000}\ud800",
    ];
    const names = ids.map((id) => nameOf(id));
    expect(new Set(names).size).toBe(ids.length);
  });

  it("gives an id one name, whatever its neighbours and their order", () => {
    const ids = Object.entries(realToolNames).flatMap(([server, names]) =>
      names.map((name) => `${server}/${name}`),
    );
    const forward = modelNames(ids);
    const backward = modelNames([...ids].reverse());
    for (const id of ids) {
      expect(forward.toModel(id)).toBe(backward.toModel(id));
      expect(forward.toModel(id)).toBe(nameOf(id));
    }
  });

  it("gives all 667 real tools distinct legal names that lead back", () => {
    const ids = Object.entries(realToolNames).flatMap(([server, names]) =>
      names.map((name) => `${server}/${name}`),
    );
    expect(ids).toHaveLength(667);
    const names = modelNames(ids);
    expect(names.clashes).toEqual([]);
    expect(new Set(ids.map(names.toModel)).size).toBe(667);
    for (const id of ids) {
      expect(names.toModel(id)).toMatch(LEGAL);
      expect(names.toId(names.toModel(id))).toBe(id);
    }
  });

  it("joins each of them under an ordinary namespace", () => {
    const hashed = Object.values(realToolNames)
      .flat()
      .filter((name) => nameOf(`server/${name}`) !== `server__${name}`);
    expect(hashed.filter((name) => name.length <= 56 && /^[\w-]+$/.test(name))).toEqual([]);
  });

  it("leaves no way to forge a name that is not the server's own", () => {
    const victim = "bank/transfer.money";
    const taken = nameOf(victim);
    const [head, tail] = [taken.slice(0, -11), taken.slice(-10)];
    const forgeries = [
      `bank/${taken}`,
      `${taken}/`,
      `/${taken}`,
      taken,
      `bank/transfer_money_${tail}`,
      `${head}/${tail}`,
      `bank_transfer/money_${tail}`,
      `bank/transfer_money/${tail}`,
      `bank_/transfer_money_${tail}`,
    ];
    for (const id of [...forgeries, "bank__transfer/money", "bank/_transfer.money"]) {
      expect(nameOf(id)).not.toBe(taken);
    }
    expect(nameOf("a/b_c")).not.toBe(nameOf("a_b/c"));
    expect(new Set(["a/b__c", "a__b/c", "a_/_b/c", "a/_b"].map((id) => nameOf(id))).size).toBe(4);
  });

  it("gives random and hostile ids distinct legal names", () => {
    const random = new Random(7);
    const alphabet = [..."__-aB7/. ü\ud800\u0000e", "__", "\u{1F600}"];
    const pick = (): string => alphabet[random.below(alphabet.length)] ?? "";
    const ids = new Set<string>();
    while (ids.size < 20_000) {
      const length = Math.floor(random.next() ** 3 * 80);
      ids.add(Array.from({ length }, pick).join(""));
    }
    for (const kind of ["namespaced", "plain"] as const) {
      const names = modelNames(ids, { kind });
      expect(names.clashes).toEqual([]);
      const seen = new Set<string>();
      for (const id of ids) {
        const name = names.toModel(id);
        if (!LEGAL.test(name) || names.toId(name) !== id) expect.fail(JSON.stringify([id, name]));
        seen.add(name);
      }
      expect(seen.size).toBe(ids.size);
    }
  });

  it("refuses both of two ids that hash alike, aloud, and no other", () => {
    const [first = "", second = ""] = FORGED;
    const names = modelNames([first, "ns/honest", second]);
    const name = nameOf(first);
    expect(nameOf(second)).toBe(name);
    expect(names.clashes).toEqual([{ name, ids: [first, second] }]);
    expect(names.toId(name)).toBeUndefined();
    for (const id of [first, second]) {
      const error = thrownBy(() => names.toModel(id));
      expect(error.code).toBe("duplicate");
      expect(error.message).toContain(name);
    }
    expect(names.toModel("ns/honest")).toBe("ns__honest");
  });

  it("takes an id that is given twice for one", () => {
    const names = modelNames(["a/b", "a/b"]);
    expect(names.clashes).toEqual([]);
    expect(names.toModel("a/b")).toBe("a__b");
  });

  it("throws for an id that was not given, and knows no name that was not made", () => {
    const names = modelNames(["a/b"]);
    expect(thrownBy(() => names.toModel("a/c")).code).toBe("not_found");
    for (const name of ["a__c", "a/b", "", "__proto__", "constructor"]) {
      expect(names.toId(name)).toBeUndefined();
    }
  });

  describe("of kind plain", () => {
    it.each([
      "files_read",
      "team__a",
      "_x",
      "a-b",
      "x".repeat(64),
      "fs__read_file",
      "create_repository",
    ])("leaves the legal name %s as it is", (name) => {
      expect(nameOf(name, "plain")).toBe(name);
    });

    it.each([
      ["a.b", "a_b"],
      ["a/b", "a_b"],
      ["3d", "tool_3d"],
      ["", "tool"],
      ["x".repeat(65), "x".repeat(53)],
      ["read_0123456789", "read_0123456789"],
      ["_bcdfghjklm", "bcdfghjklm"],
      ["a__b c", "a_b_c"],
    ])("hashes %j", (name, readable) => {
      const hashed = nameOf(name, "plain");
      expect(hashed).toMatch(LEGAL);
      expect(HASHED.exec(hashed)?.[1]).toBe(readable);
    });

    it("lets no legal name forge a generated one", () => {
      const taken = nameOf("transfer.money", "plain");
      const names = modelNames(["transfer.money", taken], { kind: "plain" });
      expect(names.clashes).toEqual([]);
      expect(names.toModel("transfer.money")).toBe(taken);
      expect(names.toModel(taken)).not.toBe(taken);
      expect(names.toId(taken)).toBe("transfer.money");
    });
  });

  describe("case", () => {
    it.each(nameCases)("$id ($source)", ({ namespace, toolName }) => {
      const tools = [toolName].flat();
      const ids = tools.map((tool) => `${namespace}/${tool}`);
      const names = modelNames(ids);
      expect(new Set(ids.map(names.toModel)).size).toBe(ids.length);
      for (const id of ids) {
        expect(names.toModel(id)).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
        expect(names.toId(names.toModel(id))).toBe(id);
      }
    });
  });
});
