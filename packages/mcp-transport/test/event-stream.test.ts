import { describe, expect, it } from "vitest";
import { EventReader, type ServerEvent, writeEvent } from "../src/http/event-stream.ts";

function read(chunks: readonly (string | Uint8Array)[], limit = 1_000): ServerEvent[] {
  const seen: ServerEvent[] = [];
  const reader = new EventReader(limit, (event) => seen.push(event));
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  return seen;
}

describe("EventReader", () => {
  it.each<[text: string, events: ServerEvent[]]>([
    ["", []],
    ["data: a\n\n", [{ type: "message", data: "a" }]],
    ["data:a\ndata: b\ndata\n\n", [{ type: "message", data: "a\nb\n" }]],
    ["event: endpoint\ndata: /x\n\n", [{ type: "endpoint", data: "/x" }]],
    ["event:\ndata: a\n\n", [{ type: "message", data: "a" }]],
    [": comment\n\n:\n\n", []],
    ["id: 7\nretry: 500\ndata:\n\n", [{ type: "message", data: "", id: "7", retry: "500" }]],
    ["id\n\n", [{ type: "message", data: "", id: "" }]],
    [
      "data: a\r\rdata: b\r\r",
      [
        { type: "message", data: "a" },
        { type: "message", data: "b" },
      ],
    ],
    ["data: a\r\nid: 1\r\n\r\n", [{ type: "message", data: "a", id: "1" }]],
    ["data:  two spaces: and a colon\n\n", [{ type: "message", data: " two spaces: and a colon" }]],
    ["__proto__: x\nconstructor: y\n\n", [{ type: "message", data: "" }]],
    ["\uFEFFdata: a\n\n", [{ type: "message", data: "a" }]],
    ["data: not ended\n", []],
  ])("%j", (text, events) => {
    expect(read([text])).toEqual(events);
    expect(read([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))).toEqual(events);
  });

  it("does not break a character, wherever it is cut", () => {
    const bytes = Buffer.from("data: ≤ 日本 🚢\r\nid: 5\r\n\r\n");
    for (let at = 0; at <= bytes.length; at += 1) {
      expect(read([bytes.subarray(0, at), bytes.subarray(at)])).toEqual([
        { type: "message", data: "≤ 日本 🚢", id: "5" },
      ]);
    }
  });

  it("bounds one event, not the stream", () => {
    const event = `data: ${"x".repeat(90)}\n\n`;
    expect(read(Array(50).fill(event), 100)).toHaveLength(50);
    expect(() => read([`data: ${"x".repeat(95)}\n\n`], 100)).toThrow(RangeError);
    expect(() => read(Array(20).fill("data: 123456\n"), 100)).toThrow(RangeError);
    expect(() => read(Array(20).fill("123456"), 100)).toThrow(RangeError);
  });

  it("costs the same for each byte", () => {
    const start = performance.now();
    const part = "x".repeat(64 * 1024);
    const [event] = read(["data: ", ...Array(512).fill(part), "\n\n"], 2 ** 30);
    expect(event?.data.length).toBe(512 * part.length);
    expect(performance.now() - start).toBeLessThan(12_000);
  });
});

describe("writeEvent", () => {
  it.each<ServerEvent>([
    { type: "message", data: "a" },
    { type: "message", data: "a\nb" },
    { type: "endpoint", data: "/x" },
    { type: "message", data: "", id: "7", retry: "500" },
  ])("writes what is read back, %j", (event) => {
    expect(read([writeEvent(event)])).toEqual([event]);
  });
});
