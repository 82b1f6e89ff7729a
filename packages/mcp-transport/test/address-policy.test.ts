import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { isPrivateAddress } from "../src/http/address-policy.ts";
import { createTransport, parseServerConfig } from "../src/index.ts";

describe("which addresses are private", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "10.1.2.3",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "::",
    "::1",
    "fe80::1",
    "fc00::1",
    "fd12::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:a9fe:a9fe",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "not an address",
  ])("%s is", (address) => expect(isPrivateAddress(address)).toBe(true));

  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "172.32.0.1",
    "192.169.0.1",
    "100.128.0.1",
    "2606:4700::1111",
    "::ffff:8.8.8.8",
  ])("%s is not", (address) => expect(isPrivateAddress(address)).toBe(false));
});

describe.each(["v1", "v2"] as const)("blockPrivateAddresses over engine %s", (engine) => {
  it("refuses a literal and a name before anything is sent", async () => {
    let requests = 0;
    const server = createServer((_, response) => {
      requests += 1;
      response.end();
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    for (const host of [
      "127.0.0.1",
      "localhost",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "0x7f.1",
    ]) {
      for (const transport of ["streamable-http", "sse"] as const) {
        const url = `http://${host}:${port}/mcp`;
        const config = { name: "s", transport, url, blockPrivateAddresses: true } as const;
        await expect(
          createTransport(config, { engine }).open({ timeoutMs: 10_000 }),
        ).rejects.toMatchObject({
          code: "blocked",
          message: expect.stringContaining("public internet"),
        });
      }
    }
    expect(requests).toBe(0);
    server.close();
  });

  it("is off unless asked for", async () => {
    const server = createServer((_, response) => response.writeHead(503).end()).listen(
      0,
      "127.0.0.1",
    );
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const url = `http://localhost:${port}/mcp`;
    await expect(
      createTransport({ name: "s", transport: "streamable-http", url }, { engine }).open(),
    ).rejects.toMatchObject({ code: "http", httpStatus: 503 });
    server.close();
  });

  it.each([
    [{ blockPrivateAddresses: "yes" }, /blockPrivateAddresses.*true or false/],
    [{ blockPrivateAddresses: true, fetch }, /blockPrivateAddresses.*fetch/],
  ])("is refused as %o", (fields, message) => {
    expect(() => parseServerConfig({ name: "s", url: "http://h/", ...fields })).toThrow(message);
  });
});
