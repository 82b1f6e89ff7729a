import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEquipMCP, type RejellyCore, rejellyHost } from "../src/index.ts";
import { fakeClient } from "./fake-client.ts";

function stubCore() {
  const memory = new Map<string, number>();
  const equipped: [string, unknown][] = [];
  const core: RejellyCore = {
    equipMemo: async (_key, make) => make(),
    equipMemory: (key, initial) => [
      memory.get(key) ?? initial,
      (value) => void memory.set(key, value),
    ],
    equipTool: ({ name }, options) => void equipped.push([name, options]),
    getContextSignal: () => undefined,
  };
  return { core, equipped, memory };
}

describe("rejellyHost", () => {
  it("binds what equipMCP needs", async () => {
    const { core, equipped, memory } = stubCore();
    const { client } = fakeClient({ listTools: () => [{ name: "a" }] });
    const equipMCP = createEquipMCP(rejellyHost(core));
    const kit = await equipMCP(client, { clientId: "c", forceRefresh: true });
    const middleware = [
      { name: "m", handler: (_: unknown, next: () => Promise<unknown>) => next() },
    ];
    kit.inject({ middleware });
    expect(equipped).toEqual([["a", { middleware }]]);
    expect(Reflect.get(Object(equipped[0]?.[1]), "middleware")).not.toBe(middleware);
    expect([...memory.values()]).toEqual([1]);
  });

  it.each(["equipMemo", "equipMemory", "equipTool", "getContextSignal"])(
    "names %s where a core lacks it",
    (name) => {
      const core = { ...stubCore().core, [name]: undefined } as unknown as RejellyCore;
      expect(() => rejellyHost(core)).toThrow(
        expect.objectContaining({
          code: "invalid_port",
          message: `@x/adapter-mcp: @rejelly/core has no method ${name}()`,
        }),
      );
    },
  );
});

/** A process of its own, as an application is one, over a copy of the sources. */
function inProcess(program: string, core?: string): string {
  const folder = mkdtempSync(join(tmpdir(), "rejelly-core-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  if (core !== undefined) {
    const place = join(folder, "core");
    mkdirSync(place);
    writeFileSync(join(place, "core.mjs"), core);
    const hook = `export const resolve = (name, context, next) =>
      name === "@rejelly/core" ? next(${JSON.stringify(`file://${place}/core.mjs`)}, context) : next(name, context);`;
    writeFileSync(join(place, "hook.mjs"), hook);
    program = `import { register } from "node:module";
      register(${JSON.stringify(`file://${place}/hook.mjs`)});
      ${program}`;
  }
  writeFileSync(join(folder, "main.mjs"), program);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=@x/source", "--import", import.meta.resolve("tsx"), join(folder, "main.mjs")],
    { encoding: "utf8", timeout: 30_000 },
  );
  return stdout.trim() || stderr;
}

const entry = JSON.stringify(new URL("../src/index.ts", import.meta.url).href);
const equip = `
  const { equipMCP, fromMCPTool } = await import(${entry});
  const client = { listTools: async () => [{ name: "a" }], callTool: async (name, args) => ({ content: [] }) };
  const outcome = await equipMCP(client, { clientId: "c" }).then(
    ({ tools }) => tools.map(({ name }) => name).join(),
    ({ name, code, message }) => [name, code, message].join(" | "),
  );
  console.log(outcome);
  console.log(await fromMCPTool({ name: "t" }, client).handler({}).catch((error) => error.message));
`;

describe("equipMCP in an application", () => {
  it("without @rejelly/core says what to install, and needs it for nothing else", () => {
    const [outcome = "", called] = inProcess(equip).split("\n");
    expect(outcome).toMatch(/^AdapterMCPError \| core_missing \| .*npm install @rejelly\/core/);
    expect(called).toBe("(no content)");
  }, 40_000);

  it("with @rejelly/core works on it", () => {
    const core = `
      export const equipMemo = (key, make) => make();
      export const equipMemory = (key, initial) => [initial, () => {}];
      export const equipTool = () => {};
      export const getContextSignal = () => undefined;
    `;
    expect(inProcess(equip, core).split("\n")).toEqual(["a", "(no content)"]);
  }, 40_000);

  it.each([
    [
      "does not load",
      'throw new Error("broken install");',
      "Error |  | broken install",
      "broken install",
    ],
    [
      "misses something of its own",
      'import "not-installed-anywhere";',
      expect.stringMatching(/^Error \| ERR_MODULE_NOT_FOUND \| .*not-installed-anywhere/),
      expect.stringContaining("not-installed-anywhere"),
    ],
    [
      "is of another version",
      "export const equipTool = () => {};",
      expect.stringMatching(/invalid_port .* equipMemo\(\)$/),
      expect.stringContaining("equipMemo()"),
    ],
  ])(
    "with a core that %s says that",
    (_, core, outcome, called) => {
      expect(inProcess(equip, core).split("\n")).toEqual([outcome, called]);
    },
    40_000,
  );
});
