import { describe, expect, it } from "vitest";
import { createRedactor } from "../src/redact.ts";
import { StderrTail } from "../src/stdio/stderr-tail.ts";

describe("createRedactor", () => {
  it.each<[values: string[], text: string, shown: string]>([
    [[], "nothing to hide", "nothing to hide"],
    [["1234567"], "1234567 is too short", "1234567 is too short"],
    [["12345678"], "12345678 and 12345678", "*** and ***"],
    [["Bearer abcdefgh"], "token abcdefgh, Bearer abcdefgh", "token ***, ***"],
    [["--token=abcdefgh"], "abcdefgh", "***"],
    [["--token=a=bcdefgh"], "a=bcdefgh", "***"],
    [["--token=short"], "short", "short"],
    [["abcdefgh", "abcdefghij"], "abcdefghij", "***"],
    [["$&$&$&$&"], "$&$&$&$&", "***"],
    [[".*.*.*.*"], "anything", "anything"],
    [["line one\nline two"], "line one\nline two", "***"],
  ])("of %j shows %j as %j", (values, text, shown) => {
    expect(createRedactor(values).redact(text)).toBe(shown);
  });

  it("hides what is added later, the latest of it, beside what it began with", () => {
    const redactor = createRedactor(["firstsecret"]);
    for (let n = 0; n < 300; n += 1) redactor.add(`added-secret-${n}`);
    expect(redactor.redact("firstsecret added-secret-299 added-secret-250")).toBe("*** *** ***");
    // Else the headers of a long life would be kept for ever.
    expect(redactor.redact("added-secret-0 ")).not.toBe("*** ");
  });

  it.each<[text: string, held: number]>([
    ["", 0],
    ["abc", 0],
    ["xs", 1],
    ["x secre", 5],
    ["secret12", 0],
    ["secret1", 7],
    ["secret1secret", 6],
  ])("holds back the end of %j that may begin a secret: %i", (text, held) => {
    expect(createRedactor(["secret12", "zzzzzzzzz"]).heldBack(text)).toBe(held);
  });
});

it.each<[text: string, cut: number]>([
  ["", 0],
  ["abc", 0],
  ["2x", 1],
  ["cret12", 6],
  ["secret12", 0],
  ["12secret12", 2],
])("of the begin of %j so much may be the end of a secret: %i", (text, cut) => {
  expect(createRedactor(["secret12", "zzzzzzzzz"]).cutOff(text)).toBe(cut);
});

describe("StderrTail", () => {
  const secret = "planted-secret-value";

  it("keeps at most 8 KiB, whole characters", () => {
    const tail = new StderrTail(createRedactor());
    for (let n = 0; n < 5_000; n += 1) tail.push(Buffer.from(`line ${n} é🚢\n`));
    const bytes = Buffer.byteLength(tail.text);
    expect(bytes).toBeLessThanOrEqual(8_192);
    expect(bytes).toBeGreaterThan(8_180);
    expect(tail.text.endsWith("line 4999 é🚢\n")).toBe(true);
    expect(tail.text).not.toContain("\uFFFD");
  });

  it("is whole where it is short, and nothing where there was nothing", () => {
    const tail = new StderrTail(createRedactor());
    expect(tail.text).toBe("");
    tail.push(Buffer.from([0xe2, 0x89]));
    tail.push(Buffer.from([0xa4]));
    expect(tail.text).toBe("≤");
    tail.push(Buffer.from([0xe2]));
    tail.end();
    expect(tail.text).toBe("≤\uFFFD");
  });

  it("hides a secret wherever the tail is cut", () => {
    for (let shift = 0; shift < secret.length + 2; shift += 1) {
      const tail = new StderrTail(createRedactor([secret]));
      tail.push(Buffer.from(`${"a".repeat(20_000 + shift)}${secret}`));
      tail.push(Buffer.from("b".repeat(16_384)));
      const ends = [8_192, 8_192 - 3, 8_192 - 10].map((length) => "b".repeat(length));
      expect(ends.some((end) => tail.text.endsWith(end))).toBe(true);
      for (let length = 6; length <= secret.length; length += 1) {
        expect(tail.text).not.toContain(secret.slice(-length));
      }
    }
  });

  it("hides a secret that was cut also where hiding makes the rest short", () => {
    const tail = new StderrTail(createRedactor([secret]));
    for (let n = 0; n < 5_000; n += 1) tail.push(Buffer.from(secret));
    expect(tail.text).toMatch(/^[*]+$/);
  });

  it("hides secrets in what it hands on, also when they come letter by letter", () => {
    const heard: string[] = [];
    const tail = new StderrTail(createRedactor([secret]), (text) => heard.push(text));
    for (const letter of `x ${secret} y planted-z planted`) tail.push(Buffer.from(letter));
    tail.end();
    expect(heard.join("")).toBe("x *** y planted-z planted");
    expect(tail.text).toBe("x *** y planted-z planted");
  });
});
