import { describe, expect, it } from "vitest";
import { LineSplitter } from "../src/stdio/lines.ts";
import { idAtEdge, readLine } from "../src/stdio/message-line.ts";

function split(limit: number, chunks: readonly (string | Buffer)[]): unknown[] {
  const seen: unknown[] = [];
  const splitter = new LineSplitter(limit, {
    line: (text) => seen.push(text),
    oversized: (begin) => seen.push({ begin }),
    oversizedEnd: (end) => seen.push({ end }),
  });
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return seen;
}

const mib = 1024 * 1024;

function cpuMsOf(bytes: number, portion: number): number {
  const part = Buffer.alloc(portion, "x");
  const splitter = new LineSplitter(64 * mib, {
    line: (text) => expect(text).toHaveLength(bytes),
    oversized() {},
    oversizedEnd() {},
  });
  const before = process.cpuUsage();
  for (let sent = 0; sent < bytes; sent += portion) splitter.push(part);
  splitter.end();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe("LineSplitter", () => {
  it.each<[chunks: string[], lines: string[]]>([
    [[], []],
    [["a\nb\n"], ["a", "b"]],
    [
      ["a", "b\nc", "\n"],
      ["ab", "c"],
    ],
    [["\n\n"], ["", ""]],
    [
      ["a\n", "rest"],
      ["a", "rest"],
    ],
    [["a\r\n"], ["a\r"]],
    [["1234567890\n"], ["1234567890"]],
    [
      ["12345", "67890\n1"],
      ["1234567890", "1"],
    ],
  ])("cuts %j", (chunks, lines) => {
    expect(split(10, chunks)).toEqual(lines);
  });

  it("does not break a character, wherever it is cut", () => {
    const bytes = Buffer.from("≤ 日本 🚢\nfin\n");
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(split(100, [bytes.subarray(0, at), bytes.subarray(at)])).toEqual(["≤ 日本 🚢", "fin"]);
    }
    expect(
      split(
        100,
        [...bytes].map((byte) => Buffer.from([byte])),
      ),
    ).toEqual(["≤ 日本 🚢", "fin"]);
  });

  it.each<[chunks: string[]]>([
    [["ab12345678901234cd\nnext\n"]],
    [["ab1234567890", "1234cd\nnext\n"]],
    [["ab12345", "67890123", "4c", "d\nne", "xt\n"]],
  ])("reports a line over the limit by its ends, and goes on: %j", (chunks) => {
    const [begin, end, ...rest] = split(10, chunks) as [{ begin: string }, { end: string }];
    expect(begin.begin).toMatch(/^ab12345/);
    expect(end.end).toMatch(/cd$/);
    expect(rest).toEqual(["next"]);
  });

  it("does not wait for the end of what never ends", () => {
    const seen = split(10, Array(10).fill("123456789"));
    expect(seen).toHaveLength(2);
    expect(seen).toMatchObject([{ begin: "123456789123456789" }, { end: expect.any(String) }]);
    expect(split(10, ["x".repeat(90), "\nok\n"])).toHaveLength(3);
  });

  it("keeps no more than the ends of it", () => {
    const seen = split(1_000, ["a".repeat(300), "b".repeat(900), "c".repeat(300), "\n"]);
    expect(seen).toEqual([{ begin: "a".repeat(256) }, { end: "c".repeat(256) }]);
  });

  it("costs the same for each byte, in whatever portions they come", () => {
    // Of the processor, so that it does not matter what else the machine does.
    expect(cpuMsOf(32 * mib, 64)).toBeLessThan(6_000);
  });

  it("takes a fraction of the 20 seconds of the SDK for a line of 50 MB", () => {
    expect(cpuMsOf(50 * mib, 64 * 1024)).toBeLessThan(2_500);
  });
});

describe("readLine", () => {
  it.each<[line: string, kind: string]>([
    ["", "blank"],
    [" \t\r", "blank"],
    ["\uFEFF", "blank"],
    ["hello", "garbage"],
    ["{", "garbage"],
    ["null", "garbage"],
    ["{} trailing", "garbage"],
    ['{"jsonrpc":"2.0","id":1,"result":{}}\r', "message"],
    ['\uFEFF{"a":1}', "message"],
    ["[1]", "message"],
    ["5", "message"],
    ['ready>{"jsonrpc":"2.0","id":1,"result":{}}', "message"],
    ['ready> { "jsonrpc":"2.0","id":1,"result":{}} bye', "message"],
    // A log of what was received is no request to us.
    ['got {"jsonrpc":"2.0","id":1,"method":"tools/list"}', "garbage"],
    ['got {"jsonrpc":"2.0","method":"notifications/cancelled"}', "garbage"],
    ['got {"id":1,"result":{}}', "garbage"],
    ['got {"a":1', "garbage"],
  ])("%j is %s", (line, kind) => {
    expect(readLine(line).kind).toBe(kind);
  });

  it("does not touch what it parses", () => {
    const line = '{"jsonrpc":"2.0","id":1,"result":{"__proto__":{"polluted":1}}}';
    expect(readLine(line)).toEqual({ kind: "message", message: JSON.parse(line) });
    expect({}).not.toHaveProperty("polluted");
  });
});

describe("idAtEdge", () => {
  it.each<[begin: string, end: string, id: number | undefined]>([
    ['{"jsonrpc":"2.0","id":12,"result":{"x":"', "", 12],
    ['{ "id" : "7" , "result":', "", 7],
    ['{"result":{"id":3,"x":"', 'xx"},"jsonrpc":"2.0","id":9}', 9],
    ['{"result":"', 'x","id":9,"jsonrpc":"2.0"}', 9],
    ['{"result":"', 'x", "id" : 9 } \r', 9],
    ['{"result":"', 'x":{"y":1,"id":9}}', undefined],
    ['{"result":"', '\\"id\\":9}"', undefined],
    ['{"method":"x","params":{"id":1,', '"z":1}}', undefined],
    ['{"jsonrpc":"2.0","id":"abc","result":', "", undefined],
    ["", "", undefined],
  ])("of %j … %j is %s", (begin, end, id) => {
    expect(idAtEdge(begin, end)).toBe(id);
  });
});
