import { describe, expect, it } from "vitest";
import {
  errorAnswer,
  notification,
  RpcError,
  readIncoming,
  readMessage,
  resultAnswer,
} from "../src/json-rpc.ts";
import { LineSplitter } from "../src/stdio/line-splitter.ts";

describe("a message", () => {
  it.each([
    [
      { jsonrpc: "2.0", id: 0, method: "m" },
      { kind: "request", id: 0, method: "m", params: {} },
    ],
    [
      { jsonrpc: "2.0", id: "", method: "", params: { a: 1 }, more: 1 },
      { kind: "request", id: "", method: "", params: { a: 1 } },
    ],
    [
      { jsonrpc: "2.0", method: "n" },
      { kind: "notification", method: "n", params: {} },
    ],
    [
      { jsonrpc: "2.0", id: -1, result: null },
      { kind: "response", id: -1, result: null },
    ],
    [
      { jsonrpc: "2.0", id: "x", error: { code: 1 } },
      { kind: "response", id: "x", error: { code: 1 } },
    ],
  ])("%j is read", (value, expected) => {
    expect(readMessage(value)).toEqual(expected);
  });

  it.each<[unknown, unknown, number]>([
    [null, null, -32600],
    ["text", null, -32600],
    [[], null, -32600],
    [{ id: 1, method: "m" }, null, -32600],
    [{ jsonrpc: "1.0", id: 1, method: "m" }, null, -32600],
    [{ jsonrpc: "2.0", id: null, method: "m" }, null, -32600],
    [{ jsonrpc: "2.0", id: 1.5, method: "m" }, null, -32600],
    [{ jsonrpc: "2.0", id: {}, method: "m" }, null, -32600],
    [{ jsonrpc: "2.0", id: 1, method: 1 }, 1, -32600],
    [{ jsonrpc: "2.0", method: null }, null, -32600],
    [{ jsonrpc: "2.0", id: 1, method: "m", params: [] }, 1, -32602],
    [{ jsonrpc: "2.0", method: "m", params: null }, null, -32602],
    [{ jsonrpc: "2.0" }, null, -32600],
    [{ jsonrpc: "2.0", id: 1 }, 1, -32600],
    [{ jsonrpc: "2.0", id: 1, result: 1, error: 1 }, 1, -32600],
    [{ jsonrpc: "2.0", result: 1 }, null, -32600],
  ])("%j is none, and its sender is told", (value, id, code) => {
    expect(readMessage(value)).toMatchObject({
      kind: "invalid",
      answer: { jsonrpc: "2.0", id, error: { code, message: expect.stringMatching(/^Invalid /) } },
    });
  });

  it("keeps hostile keys as data", () => {
    const text = '{"jsonrpc":"2.0","id":1,"method":"m","params":{"__proto__":{"x":1}}}';
    const [message] = readIncoming(text).messages;
    expect(message).toMatchObject({ kind: "request" });
    expect(JSON.stringify(message)).toContain('"__proto__":{"x":1}');
    expect({}).not.toHaveProperty("x");
  });
});

describe("a text", () => {
  const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  it.each([
    [ping, false, ["request"]],
    [`[${ping},${ping},7]`, true, ["request", "request", "invalid"]],
    ["[]", false, ["invalid"]],
    ["{", false, ["invalid"]],
    ["", false, ["invalid"]],
  ])("%s", (text, batch, kinds) => {
    const incoming = readIncoming(text);
    expect(incoming.batch).toBe(batch);
    expect(incoming.messages.map(({ kind }) => kind)).toEqual(kinds);
  });
});

describe("an answer", () => {
  it("holds what it needs and no more", () => {
    expect(resultAnswer(1, { a: 1 })).toEqual({ jsonrpc: "2.0", id: 1, result: { a: 1 } });
    expect(errorAnswer(null, new RpcError(-1, "m"))).toEqual({
      ...{ jsonrpc: "2.0", id: null, error: { code: -1, message: "m" } },
    });
    expect(errorAnswer("x", new RpcError(-1, "m", 0))).toMatchObject({ error: { data: 0 } });
    expect(notification("n")).toEqual({ jsonrpc: "2.0", method: "n" });
    expect(notification("n", {})).toEqual({ jsonrpc: "2.0", method: "n", params: {} });
  });
});

describe("lines", () => {
  it("come out whole however the bytes come in", () => {
    const bytes = Buffer.from("a é😀\r\n\n  \nb\nlast");
    for (let size = 1; size <= bytes.length; size += 1) {
      const splitter = new LineSplitter();
      const lines: string[] = [];
      for (let at = 0; at < bytes.length; at += size) {
        lines.push(...splitter.push(bytes.subarray(at, at + size)));
      }
      expect(lines).toEqual(["a é😀", "b"]);
      expect(splitter.push(Buffer.from("\n"))).toEqual(["last"]);
    }
  });

  it("of 20 MB in small pieces take linear time", () => {
    const splitter = new LineSplitter();
    const piece = Buffer.alloc(1024, "x");
    for (let count = 0; count < 20_000; count += 1) splitter.push(piece);
    const [line = ""] = splitter.push(Buffer.from("\n"));
    expect(line).toHaveLength(20_480_000);
  });
});
