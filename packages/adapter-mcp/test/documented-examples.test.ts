import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v2 from "@modelcontextprotocol/client";
import * as v2Stdio from "@modelcontextprotocol/client/stdio";
import * as v1 from "@modelcontextprotocol/sdk/client/index.js";
import * as v1Stdio from "@modelcontextprotocol/sdk/client/stdio.js";
import * as v1Http from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { everything, filesystem, startEverything } from "@x/test-servers";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import * as adapter from "../src/index.ts";
import type { AgentFunction, Message } from "./host/contract.ts";
import { core } from "./host/core.ts";
import { type ScriptedModel, scriptedModel } from "./host/scripted-model.ts";
import { type Sdk, sdks } from "./servers/clients.ts";

vi.mock("@rejelly/core", async () => (await import("./host/core.ts")).core);

/** The two programs that Rejelly's documentation prints, run as they are printed. */

type Modules = Record<string, object>;
type Edit = readonly [printed: string, instead: string];

const printed = (name: string): string =>
  readFileSync(new URL(`./fixtures/${name}.txt`, import.meta.url), "utf8");

/** Each edit has exactly one place. */
function withEdits(program: string, edits: readonly Edit[]): string {
  return edits.reduce((text, [from, to]) => {
    expect(text.split(from)).toHaveLength(2);
    return text.replace(from, () => to);
  }, program);
}

/** Runs a printed program, its imports taken from `modules`, and gives what `result` names. */
function run(program: string, modules: Modules, result: string, scope: object = {}) {
  const code = program
    .replaceAll(/^import type .*$/gm, "")
    .replaceAll(/^import (\{.*\}) from '(.*)';$/gm, "const $1 = modules['$2'];")
    .replaceAll(/ as string\b/g, "")
    .replaceAll("<MCPClientAdapter>", "");
  expect(code).not.toMatch(/^import/m);
  const AsyncFunction = Object.getPrototypeOf(async () => {}).constructor;
  const names = Object.keys(scope);
  const program$ = AsyncFunction("modules", ...names, `${code}\nreturn ${result};`);
  return program$(modules, ...Object.values(scope));
}

/** Starts what `npx -y <package> <folder>` names from this workspace, with a folder of the test's. */
function localCommand(args: readonly string[], folder: string) {
  const [, server] = args;
  if (server === "@modelcontextprotocol/server-everything") return everything();
  expect(server).toBe("@modelcontextprotocol/server-filesystem");
  return filesystem(folder);
}

interface Place {
  readonly folder: string;
  /** Over HTTP, whatever the program says about processes. */
  readonly url?: string;
}
interface Ends {
  opened: number;
  closed: number;
}

function modulesFor(sdk: Sdk, { folder, url }: Place, ends: Ends): Modules {
  class Client1 extends v1.Client {
    override async close() {
      ends.closed += 1;
      await super.close();
    }
  }
  class Client2 extends v2.Client {
    override async close() {
      ends.closed += 1;
      await super.close();
    }
  }
  const open = (parameters: { args: string[] }) => {
    ends.opened += 1;
    if (url !== undefined) {
      const target = new URL(url);
      return sdk === "v1"
        ? new v1Http.StreamableHTTPClientTransport(target)
        : new v2.StreamableHTTPClientTransport(target);
    }
    const command = { ...localCommand(parameters.args, folder), stderr: "ignore" as const };
    return sdk === "v1"
      ? new v1Stdio.StdioClientTransport(command)
      : new v2Stdio.StdioClientTransport(command);
  };
  return {
    "@modelcontextprotocol/sdk/client/index.js": { Client: sdk === "v1" ? Client1 : Client2 },
    "@modelcontextprotocol/sdk/client/stdio.js": {
      // `new` of a function that returns an object gives that object.
      StdioClientTransport: function StdioClientTransport(parameters: { args: string[] }) {
        return open(parameters);
      },
    },
    "@rejelly/adapter-mcp": adapter,
    "@rejelly/core": core,
    zod: { z },
  };
}

const ResultSchema = z.object({ summary: z.string() });
const answer = { answer: { summary: "done" } };
const toolTexts = (messages: readonly Message[] | undefined) =>
  (messages ?? []).filter(({ role }) => role === "tool").map(({ content }) => content);

let folder: string;
let http: Awaited<ReturnType<typeof startEverything>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "documented-"));
  await writeFile(join(folder, "notes.txt"), "buoy 4 is loose\n");
  http = await startEverything("streamableHttp");
});
afterAll(async () => {
  await http.stop();
  await rm(folder, { recursive: true, force: true });
});

/** The four changes that the second example needs, as the README names them. */
const changes: ReadonlyMap<string, readonly Edit[]> = new Map([
  [
    "the missing import and ResultSchema",
    [
      [
        "expectScope, promptAgent } from '@rejelly/core';\nimport { z } from 'zod';\n",
        "expectScope, promptAgent, equipInstruction } from '@rejelly/core';\nimport { z } from 'zod';\nconst ResultSchema = z.object({ summary: z.string() });\n",
      ],
    ],
  ],
  [
    "create returns the facade",
    [
      ["import { equipMCP } from", "import { equipMCP, toClientFacade } from"],
      ["        return c;", "        return toClientFacade(c);"],
    ],
  ],
  [
    "the resource is read from server-everything",
    [
      [
        "args: ['-y', '@modelcontextprotocol/server-filesystem', '/tmp'],",
        "args: ['-y', '@modelcontextprotocol/server-everything'],",
      ],
      [
        `fsClient.readResource(\`file://\${workspace}/config.json\`)`,
        "fsClient.readResource('demo://resource/static/document/architecture.md')",
      ],
    ],
  ],
  [
    "its text is used as it is",
    [["JSON.parse(config.contents[0].text as string)", "config.contents[0].text"]],
  ],
]);
const edits = [...changes.values()].flat();

describe.each(sdks)("with the %s client", (sdk) => {
  /** Runs the first example in the handler of an agent, which is where it belongs. */
  async function single(place: Place, model: ScriptedModel) {
    const ends = { opened: 0, closed: 0 };
    const agent = core.createAgent({
      id: "documented",
      model,
      handler: () =>
        run(printed("documented-example"), modulesFor(sdk, place, ends), "{ result, kit }", {
          ResultSchema,
        }),
    });
    const { result } = (await agent({})) as { result: unknown };
    expect(ends).toEqual({ opened: 1, closed: 1 });
    return result;
  }

  it("the first example runs as printed, over stdio", async () => {
    const model = scriptedModel([
      {
        calls: [
          { name: "fs_read_text_file", arguments: { path: join(folder, "notes.txt") } },
          { name: "fs_list_resources" },
        ],
      },
      answer,
    ]);
    expect(await single({ folder }, model)).toEqual({ summary: "done" });
    const names = model.offered[0]?.map(({ name }) => name) ?? [];
    expect(names.every((name) => name.startsWith("fs_"))).toBe(true);
    expect(names).toEqual(expect.arrayContaining(["fs_write_file", "fs_read_resource"]));
    const [file, list] = toolTexts(model.messages[1]);
    expect(file).toBe("buoy 4 is loose\n");
    expect(JSON.parse(String(list))).toEqual({ resources: [] });
  });

  it("the first example runs over streamable HTTP", async () => {
    const uri = "demo://resource/static/document/architecture.md";
    const model = scriptedModel([
      {
        calls: [
          { name: "fs_echo", arguments: { message: "hello" } },
          { name: "fs_list_resources" },
          { name: "fs_read_resource", arguments: { uri } },
        ],
      },
      answer,
    ]);
    expect(await single({ folder, url: http.url }, model)).toEqual({ summary: "done" });
    const [echo, list, document] = toolTexts(model.messages[1]);
    expect(echo).toBe("Echo: hello");
    expect(JSON.parse(String(list)).resources).toContainEqual(expect.objectContaining({ uri }));
    expect(document).toMatch(/^# Everything Server/);
  });

  it.each(["stdio", "streamable HTTP"])(
    "parent and child run with the four changes, over %s",
    async (transport) => {
      const ends = { opened: 0, closed: 0 };
      const place = transport === "stdio" ? { folder } : { folder, url: http.url };
      const program = withEdits(printed("documented-parent-child"), edits);
      const { ParentAgent } = (await run(
        program,
        modulesFor(sdk, place, ends),
        "{ ParentAgent }",
      )) as { ParentAgent: AgentFunction<unknown, unknown> };
      const model = scriptedModel([answer]);
      expect(await core.runWith(() => ParentAgent(), { model })).toEqual({ summary: "done" });
      expect(ends).toEqual({ opened: 1, closed: 1 });
      const instruction = JSON.stringify(model.messages[0]);
      expect(instruction).toContain("工作目录：/tmp");
      expect(instruction).toContain("Everything Server");
      expect(model.offered).toEqual([[]]);
    },
  );

  it("the facade serves the parent's kit too", async () => {
    const ends = { opened: 0, closed: 0 };
    const program = withEdits(printed("documented-parent-child"), [
      ...edits,
      ["return await ChildAgent({ task: 'analyze' });", "return await promptAgent(ResultSchema);"],
    ]);
    const { ParentAgent } = (await run(
      program,
      modulesFor(sdk, { folder, url: http.url }, ends),
      "{ ParentAgent }",
    )) as { ParentAgent: AgentFunction<unknown, unknown> };
    const model = scriptedModel([
      { calls: [{ name: "filesystem_echo", arguments: { message: "through" } }] },
      answer,
    ]);
    await core.runWith(() => ParentAgent(), { model });
    expect(toolTexts(model.messages[1])).toEqual(["Echo: through"]);
  });
});
