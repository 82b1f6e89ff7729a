import { describe, expect, expectTypeOf, it } from "vitest";
import {
  type MCPResourceDescriptor,
  type Resource,
  readPage,
  readResource,
  readResourceDescriptor,
  readResourceDescriptors,
  readResourceTemplate,
  readResourceTemplates,
} from "../src/index.ts";

function throwing(key: string, rest: object = {}): object {
  return Object.defineProperty({ ...rest }, key, {
    enumerable: true,
    get: () => {
      throw new Error("boom");
    },
  });
}

describe("a resource in a list", () => {
  it("keeps every field the protocol names, and the whole item as raw", () => {
    const item = {
      uri: "file:///a.txt",
      name: "a.txt",
      title: "A",
      description: "All about A.",
      mimeType: "text/plain",
      size: 12,
      annotations: { priority: 1 },
      icons: [],
      _meta: {},
      vendor: 1,
    };
    const { vendor: _, ...known } = item;
    expect(readResourceDescriptor(item)).toEqual({
      ok: true,
      warnings: [],
      resource: { ...known, raw: item },
    });
  });

  it("needs no more than a uri, and is called by it", () => {
    expect(readResourceDescriptor({ uri: "a:b", name: null })).toEqual({
      ok: true,
      warnings: [],
      resource: { uri: "a:b", name: "a:b", description: "", raw: { uri: "a:b", name: null } },
    });
  });

  it.each([
    ["name", 5],
    ["size", "12"],
    ["mimeType", {}],
    ["annotations", []],
    ["icons", "x"],
    ["_meta", 1],
  ])("loses no more than %s when that is %j", (field, value) => {
    const reading = readResourceDescriptor({ uri: "a:b", [field]: value });
    expect(reading).toMatchObject({
      ok: true,
      resource: { uri: "a:b", name: "a:b" },
      warnings: [{ code: "invalid_field", path: `/${field}` }],
    });
  });

  it.each([
    ["a string", "not_an_object", ""],
    [{ name: "no uri" }, "invalid_uri", "/uri"],
    [{ uri: "" }, "invalid_uri", "/uri"],
    [{ uri: 5 }, "invalid_uri", "/uri"],
    [throwing("uri"), "unreadable", ""],
    [throwing("name", { uri: "a:b" }), "unreadable", ""],
  ])("is quarantined when it cannot be used (%#)", (item, code, path) => {
    expect(readResourceDescriptor(item)).toMatchObject({ ok: false, quarantined: { code, path } });
  });

  it("does not take the others of its list along", () => {
    const { resources, quarantined, warnings } = readResourceDescriptors([
      { uri: "a:1", title: 1 },
      throwing("uri"),
      { uri: "a:1" },
      { uri: "a:2" },
    ]);
    expect(resources.map(({ uri }) => uri)).toEqual(["a:1", "a:2"]);
    expect(quarantined).toEqual([
      {
        code: "unreadable",
        path: "",
        message: "resource 1 of the list cannot be read: a property throws",
      },
      {
        name: "a:1",
        code: "duplicate_uri",
        path: "/uri",
        message: 'resource "a:1" is listed twice; the first one is kept',
      },
    ]);
    expect(warnings).toHaveLength(1);
  });
});

describe("a resource template", () => {
  it("keeps its fields, and the whole item as raw", () => {
    const item = { name: "page", uriTemplate: "doc://shelf/{name}/page", mimeType: "text/plain" };
    expect(readResourceTemplate(item)).toEqual({
      ok: true,
      warnings: [],
      resourceTemplate: { ...item, description: "", raw: item },
    });
  });

  it("is quarantined without a template", () => {
    expect(readResourceTemplate({ name: "page" })).toEqual({
      ok: false,
      quarantined: {
        code: "invalid_uri",
        path: "/uriTemplate",
        message: "resource template: uriTemplate must be a non-empty string, got undefined",
      },
    });
  });

  it("does not take the others of its list along", () => {
    const page = readPage(
      { resourceTemplates: [{ uriTemplate: "a:{x}" }, null, { uriTemplate: "a:{x}" }] },
      "resourceTemplates",
    );
    const { resourceTemplates, quarantined } = readResourceTemplates(page.items);
    expect(resourceTemplates.map(({ name }) => name)).toEqual(["a:{x}"]);
    expect(quarantined.map(({ code }) => code)).toEqual(["not_an_object", "duplicate_uri"]);
  });
});

describe("the contents of a resource", () => {
  it("are all there, in order (case server-32)", () => {
    const uri = "doc://shelf/a%2Fb%20c/page";
    const raw = {
      contents: [
        { uri, mimeType: "text/plain", text: "first part" },
        { uri: `${uri}#2`, text: "second part" },
        { uri: `${uri}#3`, mimeType: "application/octet-stream", blob: "AAEC" },
      ],
      _meta: { k: 1 },
    };
    const resource = readResource(raw);
    expect(resource).toEqual({ contents: raw.contents, raw, warnings: [] });
    expect(resource.raw).toBe(raw);
  });

  it("may be none", () => {
    expect(readResource({ contents: [] })).toMatchObject({ contents: [], warnings: [] });
  });

  it("may stand there without a list", () => {
    const resource = readResource({ contents: { uri: "a:b", text: "t" } });
    expect(resource.contents).toEqual([{ uri: "a:b", text: "t" }]);
    expect(resource.warnings).toMatchObject([{ code: "invalid_field", path: "/contents" }]);
  });

  it.each([
    ["a string", "plain", { uri: "", text: "plain" }, "invalid_block", "/contents/1"],
    ["null", null, { uri: "", text: "null" }, "invalid_block", "/contents/1"],
    ["a list", [1], { uri: "", text: "[1]" }, "invalid_block", "/contents/1"],
    ["no text and no blob", { uri: "a:b" }, { uri: "a:b" }, "invalid_block", "/contents/1"],
    ["no uri", { text: "t" }, { uri: "", text: "t" }, "invalid_field", "/contents/1/uri"],
    [
      "a blob that is none",
      { uri: "a:b", blob: "*" },
      { uri: "a:b", mimeType: "text/plain", text: "[blob: its data is not base64]" },
      "media_invalid",
      "/contents/1/blob",
    ],
    [
      "a wrapped blob",
      { uri: "a:b", blob: "AA\nEC" },
      { uri: "a:b", blob: "AAEC" },
      "media_repaired",
      "/contents/1/blob",
    ],
    [
      "something that throws",
      throwing("text", { uri: "a:b" }),
      { uri: "", text: "[contents that cannot be read]" },
      "unreadable",
      "/contents/1",
    ],
  ])("keep each other when one is %s", (_, item, expected, code, path) => {
    const good = { uri: "a:good", text: "good" };
    const { contents, warnings } = readResource({ contents: [good, item, good] });
    expect(contents).toEqual([good, expected, good]);
    expect(warnings.map((warning) => [warning.code, warning.path])).toEqual([[code, path]]);
  });

  it("keep keys that are unknown here, own __proto__ included", () => {
    const given = JSON.parse(
      '{"uri":"a:b","text":"t","__proto__":{"admin":true},"x":1}',
    ) as unknown;
    const [contents] = readResource({ contents: [given] }).contents;
    expect(JSON.parse(JSON.stringify(contents))).toEqual(given);
    expect(Object.getPrototypeOf(contents)).toBe(Object.prototype);
  });

  it.each([
    [null, "null"],
    ["text", "string"],
    [{}, "undefined"],
    [{ contents: null }, "null"],
    [{ contents: "text" }, "string"],
    [{ content: [] }, "undefined"],
  ])("that are not there are a coded error: %j", (value, kind) => {
    expect(() => readResource(value)).toThrowError(
      expect.objectContaining({
        name: "MCPParseError",
        code: "invalid_resource",
        message: `a resource must be an object with an array of contents, got ${kind}`,
      }),
    );
  });

  it("that throw when read are a coded error", () => {
    expect(() => readResource(throwing("contents"))).toThrowError(
      expect.objectContaining({ code: "unreadable" }),
    );
  });
});

it("promises its types", () => {
  expectTypeOf(readResource).returns.toEqualTypeOf<Resource>();
  expectTypeOf<MCPResourceDescriptor["size"]>().toEqualTypeOf<number | undefined>();
});
