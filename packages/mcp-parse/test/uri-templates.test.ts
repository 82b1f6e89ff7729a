import { describe, expect, it } from "vitest";
import { expandUriTemplate, type TemplateValues } from "../src/index.ts";

/** The variables of RFC 6570, section 3.2, without its associative arrays. */
const rfc: TemplateValues = {
  count: ["one", "two", "three"],
  dom: ["example", "com"],
  dub: "me/too",
  hello: "Hello World!",
  half: "50%",
  var: "value",
  who: "fred",
  base: "http://example.com/home/",
  path: "/foo/bar",
  list: ["red", "green", "blue"],
  v: "6",
  x: "1024",
  y: "768",
  empty: "",
  empty_list: [],
};

describe("the examples of RFC 6570", () => {
  it.each([
    ["{var}", "value"],
    ["{hello}", "Hello%20World%21"],
    ["{half}", "50%25"],
    ["O{empty}X", "OX"],
    ["{x,y}", "1024,768"],
    ["{x,hello,y}", "1024,Hello%20World%21,768"],
    ["?{x,empty}", "?1024,"],
    ["?{x,undef}", "?1024"],
    ["{var:3}", "val"],
    ["{var:30}", "value"],
    ["{list}", "red,green,blue"],
    ["{list*}", "red,green,blue"],
    ["{+var}", "value"],
    ["{+hello}", "Hello%20World!"],
    ["{+half}", "50%25"],
    ["{base}index", "http%3A%2F%2Fexample.com%2Fhome%2Findex"],
    ["{+base}index", "http://example.com/home/index"],
    ["O{+empty}X", "OX"],
    ["{+path}/here", "/foo/bar/here"],
    ["here?ref={+path}", "here?ref=/foo/bar"],
    ["up{+path}{var}/here", "up/foo/barvalue/here"],
    ["{+x,hello,y}", "1024,Hello%20World!,768"],
    ["{+path,x}/here", "/foo/bar,1024/here"],
    ["{+path:6}/here", "/foo/b/here"],
    ["{+list}", "red,green,blue"],
    ["{+list*}", "red,green,blue"],
    ["{#var}", "#value"],
    ["{#hello}", "#Hello%20World!"],
    ["{#half}", "#50%25"],
    ["foo{#empty}", "foo#"],
    ["foo{#undef}", "foo"],
    ["{#x,hello,y}", "#1024,Hello%20World!,768"],
    ["{#path,x}/here", "#/foo/bar,1024/here"],
    ["{#path:6}/here", "#/foo/b/here"],
    ["{#list*}", "#red,green,blue"],
    ["{.who}", ".fred"],
    ["{.who,who}", ".fred.fred"],
    ["{.half,who}", ".50%25.fred"],
    ["www{.dom*}", "www.example.com"],
    ["X{.var}", "X.value"],
    ["X{.empty}", "X."],
    ["X{.undef}", "X"],
    ["X{.var:3}", "X.val"],
    ["X{.list}", "X.red,green,blue"],
    ["X{.list*}", "X.red.green.blue"],
    ["X{.empty_list}", "X"],
    ["{/who}", "/fred"],
    ["{/half,who}", "/50%25/fred"],
    ["{/who,dub}", "/fred/me%2Ftoo"],
    ["{/var,empty}", "/value/"],
    ["{/var,undef}", "/value"],
    ["{/var,x}/here", "/value/1024/here"],
    ["{/var:1,var}", "/v/value"],
    ["{/list}", "/red,green,blue"],
    ["{/list*}", "/red/green/blue"],
    ["{/list*,path:4}", "/red/green/blue/%2Ffoo"],
    ["{;who}", ";who=fred"],
    ["{;half}", ";half=50%25"],
    ["{;empty}", ";empty"],
    ["{;v,empty,who}", ";v=6;empty;who=fred"],
    ["{;v,undef,who}", ";v=6;who=fred"],
    ["{;x,y,empty}", ";x=1024;y=768;empty"],
    ["{;hello:5}", ";hello=Hello"],
    ["{;list}", ";list=red,green,blue"],
    ["{;list*}", ";list=red;list=green;list=blue"],
    ["{?who}", "?who=fred"],
    ["{?half}", "?half=50%25"],
    ["{?x,y}", "?x=1024&y=768"],
    ["{?x,y,empty}", "?x=1024&y=768&empty="],
    ["{?x,y,undef}", "?x=1024&y=768"],
    ["{?var:3}", "?var=val"],
    ["{?list}", "?list=red,green,blue"],
    ["{?list*}", "?list=red&list=green&list=blue"],
    ["{&who}", "&who=fred"],
    ["?fixed=yes{&x}", "?fixed=yes&x=1024"],
    ["{&x,y,empty}", "&x=1024&y=768&empty="],
    ["{&var:3}", "&var=val"],
    ["{&list*}", "&list=red&list=green&list=blue"],
  ])("%s is %s", (template, expected) => {
    expect(expandUriTemplate(template, rfc)).toBe(expected);
  });
});

describe("a uri template", () => {
  it("encodes a slash and a space inside a value (case server-32)", () => {
    expect(expandUriTemplate("doc://shelf/{name}/page", { name: "a/b c" })).toBe(
      "doc://shelf/a%2Fb%20c/page",
    );
  });

  it.each([
    ["doc:{v}", { v: "../../etc/passwd?x#y" }, "doc:..%2F..%2Fetc%2Fpasswd%3Fx%23y"],
    ["doc:{v}", { v: "café 日本 🚢" }, "doc:caf%C3%A9%20%E6%97%A5%E6%9C%AC%20%F0%9F%9A%A2"],
    ["doc:{v:1}", { v: "🚢🚢" }, "doc:%F0%9F%9A%A2"],
    ["doc:{v}", { v: "a\ud800b" }, "doc:a%EF%BF%BDb"],
    ["doc:{v}", { v: "%2F" }, "doc:%252F"],
    ["doc:{+v}", { v: "%2F %zz" }, "doc:%2F%20%25zz"],
    ["doc:{a.b}{c_d}{%41}", { "a.b": "1", c_d: "2", "%41": "3" }, "doc:123"],
    ["doc: é/x", {}, "doc:%20%C3%A9/x"],
    ["file:///plain?x=1#y", {}, "file:///plain?x=1#y"],
    ["", {}, ""],
  ])("%s with %j is %s", (template, values, expected) => {
    expect(expandUriTemplate(template, values)).toBe(expected);
  });

  it.each([
    ["doc:{name}", {}, "the uri template needs a value for name"],
    ["doc:{name}", { name: undefined }, "the uri template needs a value for name"],
    ["doc:{name}", { name: [] }, "the uri template needs a value for name"],
    ["doc:{a,b}", { nmae: "x" }, "the uri template needs a value for a, b"],
    ["doc:{+path}", {}, "the uri template needs a value for path"],
    ["doc:{name}", Object.create({ name: "x" }), "the uri template needs a value for name"],
    ["doc:{toString}", {}, "the uri template needs a value for toString"],
    ["doc:{__proto__}", {}, "the uri template needs a value for __proto__"],
  ])("%s is refused with %j: it would name another resource", (template, values, message) => {
    expect(() => expandUriTemplate(template, values)).toThrowError(
      expect.objectContaining({ name: "MCPParseError", code: "missing_variable", message }),
    );
  });

  it.each([
    "{",
    "}",
    "a{b",
    "a}b",
    "{a{b}",
    "{}",
    "{ a}",
    "{a b}",
    "{=a}",
    "{!a}",
    "{|a}",
    "{a,}",
    "{,a}",
    "{a:0}",
    "{a:10000}",
    "{a:x}",
    "{a:}",
    "{a**}",
    "{a*:3}",
    "{:3}",
    "{*}",
    "{a..b}",
    "{.}",
    "{%4}",
    "{a-b}",
  ])("%s is refused", (template) => {
    expect(() => expandUriTemplate(template, { a: "1", b: "2" })).toThrowError(
      expect.objectContaining({ code: "invalid_template" }),
    );
  });

  it("is expanded in linear time whatever it looks like", () => {
    const start = performance.now();
    const values = { a: "1" };
    expect(expandUriTemplate("{a}".repeat(50_000), values)).toHaveLength(50_000);
    for (const hostile of [
      "{".repeat(100_000),
      `{${"a.".repeat(50_000)}}`,
      `{${"a,".repeat(50_000)}}`,
      `{${"%".repeat(100_000)}}`,
    ]) {
      expect(() => expandUriTemplate(hostile, values)).toThrowError(
        expect.objectContaining({ code: "invalid_template" }),
      );
    }
    expect(performance.now() - start).toBeLessThan(8_000);
  });
});
