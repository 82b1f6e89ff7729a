import type { LookupAddress, LookupOptions } from "node:dns";
import { afterEach, expect, it, vi } from "vitest";
import { publicLookup } from "../src/http/address-policy.ts";

type Answer = (error: Error | null, addresses: LookupAddress[]) => void;

const resolve = vi.hoisted(() => vi.fn());
vi.mock("node:dns", () => ({ lookup: resolve }));

afterEach(() => resolve.mockReset());

function resolvesTo(...addresses: string[]): void {
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  resolve.mockImplementationOnce((_name: string, _options: LookupOptions, answer: Answer) =>
    answer(null, found),
  );
}

/** What a socket is told, as its callback gets it. */
function lookUp(options: LookupOptions): Promise<unknown[]> {
  return new Promise((done) => publicLookup("h.example", options, (...told) => done(told)));
}

it("the socket gets the addresses that were checked, from one resolution", async () => {
  resolvesTo("203.0.114.1", "2606:4700::1");
  const all = [
    { address: "203.0.114.1", family: 4 },
    { address: "2606:4700::1", family: 6 },
  ];
  expect(await lookUp({ all: true })).toEqual([null, all]);
  expect(resolve).toHaveBeenCalledTimes(1);
  expect(resolve).toHaveBeenCalledWith("h.example", { all: true }, expect.any(Function));
});

it("a socket that asks for one gets the first, and every one has been checked", async () => {
  resolvesTo("203.0.114.1", "203.0.114.2");
  expect(await lookUp({ family: 4 })).toEqual([null, "203.0.114.1", 4]);
  expect(resolve.mock.calls[0]?.[1]).toEqual({ family: 4, all: true });
});

it.each([
  [["127.0.0.1"]],
  [["203.0.114.1", "10.0.0.5"]],
  [["2606:4700::1", "::ffff:192.168.1.1"]],
  [["169.254.169.254", "203.0.114.1"]],
])("a name that resolves to %j is refused", async (addresses) => {
  for (const all of [true, false]) {
    resolvesTo(...addresses);
    const [error, told] = await lookUp({ all });
    expect(error).toMatchObject({
      code: "EBLOCKED",
      message: expect.stringContaining("h.example"),
    });
    expect(told).toEqual([]);
  }
});

it("a name that does not resolve is the resolver's error", async () => {
  const error = Object.assign(new Error("getaddrinfo ENOTFOUND h.example"), { code: "ENOTFOUND" });
  resolve.mockImplementationOnce((_name: string, _options: LookupOptions, answer: Answer) =>
    answer(error, []),
  );
  expect(await lookUp({ all: true })).toEqual([error, []]);
});

it("a name that resolves to nothing gives nothing", async () => {
  resolvesTo();
  expect(await lookUp({ all: false })).toEqual([null, []]);
});
