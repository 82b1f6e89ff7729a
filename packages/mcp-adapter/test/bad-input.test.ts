import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer } from "@x/mcp-testkit";
import type { MCPServerConfig } from "@x/mcp-transport";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MCPToolAdapter } from "../src/index.ts";
import { adapterOver, engines } from "./engine-adapter.ts";

/** What nobody should give: an error of construction, or one with a code; never a wait. */

const stdio = { name: "s", command: "node" };
const http = { name: "s", url: "http://127.0.0.1:9/mcp" };
const durations = [0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, "5", null];
const timeouts = ["connectTimeoutMs", "requestTimeoutMs", "idleTimeoutMs"];

const configs: [string, unknown, RegExp][] = [
  ...timeouts.flatMap((field) =>
    durations.map((value): [string, unknown, RegExp] => [
      `${field} ${value}`,
      { ...stdio, [field]: value },
      new RegExp(field),
    ]),
  ),
  ["a header with a line break", { ...http, headers: { "x-a": "1\r\nx-b: 2" } }, /headers/],
  ["a header name that is none", { ...http, headers: { "x a": "1" } }, /headers/],
  ["a header of the protocol", { ...http, headers: { "Mcp-Session-Id": "1" } }, /headers/],
  ["a url with credentials", { ...http, url: "http://user:secret-pw@127.0.0.1/mcp" }, /url/],
  ["an odd scheme", { ...http, url: "file:///etc/passwd" }, /url.*scheme/],
  ["a url that is none", { ...http, url: "not a url" }, /url/],
  ["an empty command", { ...stdio, command: "" }, /command/],
  ["a NUL in an argument", { ...stdio, args: ["a\0b"] }, /args/],
  ["a line break in an argument", { ...stdio, args: ["a\nb"] }, /args/],
  ["an env value that is no string", { ...stdio, env: { A: 1 } }, /env/],
  ["a field that nobody knows", { ...stdio, timeout: 5 }, /timeout/],
];

it.each(configs)("%s is refused when the adapter is made", (_, config, field) => {
  const make = () => Reflect.construct(MCPToolAdapter, [config]);
  expect(make).toThrow(
    expect.objectContaining({
      name: "MCPAdapterError",
      code: "config",
      message: expect.stringMatching(field),
    }),
  );
  expect(make).not.toThrow(/secret-pw/);
});

describe.each(engines)("over engine %s", (engine) => {
  let folder: string;
  let plainFile: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "bad-input-"));
    plainFile = join(folder, "plain");
    await writeFile(plainFile, "no program");
    await chmod(plainFile, 0o644);
  });
  afterAll(() => rm(folder, { recursive: true }));

  const failure = async (config: MCPServerConfig): Promise<unknown> => {
    const adapter = adapterOver(engine, config);
    const error: unknown = await adapter.connect({ timeoutMs: 15_000 }).catch((e: unknown) => e);
    await adapter.disconnect();
    return error;
  };

  it("a command that does not exist, or is no program, or a folder that does not exist, is named", async () => {
    const gone = { name: "s", command: "/nowhere/at-all" };
    expect(await failure(gone)).toMatchObject({
      name: "MCPConnectionError",
      code: "spawn",
      message: expect.stringContaining("/nowhere/at-all"),
    });
    expect(await failure({ name: "s", command: plainFile })).toMatchObject({ code: "spawn" });
    const nowhere = { name: "s", command: process.execPath, cwd: join(folder, "missing") };
    expect(await failure(nowhere)).toMatchObject({
      code: "spawn",
      message: expect.stringContaining("missing"),
    });
  });

  it("a private address, where those are refused, is never contacted", async () => {
    const server = await startTestServer();
    const config = { name: "s", url: server.url, blockPrivateAddresses: true };
    expect(await failure(config)).toMatchObject({ code: "blocked" });
    expect(server.requests).toEqual([]);
    await server.stop();
  });
});
