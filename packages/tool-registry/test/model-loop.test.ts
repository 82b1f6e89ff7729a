import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  defineTool,
  modelTools,
  requireApproval,
  resultText,
  ToolRegistry,
  toolSuccess,
} from "../src/index.ts";
import { readOverrides } from "../src/yaml.ts";
import { READS, spec, WRITES } from "./sample-tools.ts";

/** A server's tools as an adapter would register them, and a count of what really ran. */
class FakeServer {
  readonly ran: string[] = [];
  readonly registry: ToolRegistry;

  constructor(registry: ToolRegistry) {
    this.registry = registry;
  }

  list(...names: string[]): void {
    const specs = names.map((name) =>
      spec(name, {
        source: "mcp",
        sourceMetadata: { server: "github" },
        capability: name.startsWith("list") ? READS : WRITES,
        checkpointable: false,
        invoke: async (args) => {
          this.ran.push(`${name} ${JSON.stringify(args)}`);
          return toolSuccess({ content: [{ type: "text", text: `${name} done` }] });
        },
      }),
    );
    this.registry.replaceNamespace("github", specs, "mcp:github");
  }
}

function setUp(): { registry: ToolRegistry; server: FakeServer; asked: string[] } {
  const asked: string[] = [];
  const registry = new ToolRegistry().use(
    requireApproval(({ tool, args }) => {
      asked.push(tool.id);
      return args["force"] !== true;
    }),
  );
  const server = new FakeServer(registry);
  server.list("list_issues", "create_issue", "delete.repo");
  registry.register(
    "math",
    defineTool({
      name: "add",
      description: "Adds two numbers.",
      input: z.object({ a: z.number(), b: z.number() }),
      capability: { readOnly: true },
      invoke: ({ a, b }) => ({ sum: a + b }),
    }),
  );
  return { registry, server, asked };
}

/** What a chat loop does with the tool calls of one turn: all at once, an answer for each. */
async function answer(
  registry: ToolRegistry,
  calls: readonly { readonly name: string; readonly arguments: string }[],
): Promise<string[]> {
  const tools = modelTools(registry);
  const results = await Promise.all(calls.map((call) => tools.call(call.name, call.arguments)));
  return results.map((result) => resultText(result));
}

describe("a model loop over own tools and a server's", () => {
  it("offers legal names and answers each call, good or bad, with text", async () => {
    const { registry, server, asked } = setUp();
    const names = modelTools(registry).tools.map(({ name }) => name);
    expect(names).toEqual([
      "github__create_issue",
      expect.stringMatching(/^github_delete_repo_\w{10}$/),
      "github__list_issues",
      "math__add",
    ]);
    const [, deleteRepo = ""] = names;
    const texts = await answer(registry, [
      { name: "math__add", arguments: '{"a":40,"b":2}' },
      { name: "math__add", arguments: '{"a":40,"b":"2"}' },
      { name: "math__add", arguments: '{"a":40,' },
      { name: "github__list_issues", arguments: "" },
      { name: "github__create_issue", arguments: '{"title":"x"}' },
      { name: deleteRepo, arguments: '{"force":true}' },
      { name: "delete.repo", arguments: "{}" },
    ]);
    expect(texts[0]).toBe('{"sum":42}');
    expect(texts[1]).toMatch(/^Error: validation failed for "add": b: Invalid input/);
    expect(texts[2]).toMatch(/^Error: validation failed: the arguments are no valid JSON/);
    expect(texts[3]).toBe("list_issues done");
    expect(texts[4]).toBe("create_issue done");
    expect(texts[5]).toBe('Error: denied: the call of "github/delete.repo" was not approved');
    expect(texts[6]).toMatch(/^Error: tool "delete.repo" not found; the tools are /);
    expect(server.ran.sort()).toEqual(['create_issue {"title":"x"}', "list_issues {}"]);
    expect(asked.sort()).toEqual(["github/create_issue", "github/delete.repo"]);
  });

  it("lives through list changes: what stays works, what went says so", async () => {
    const { registry, server } = setUp();
    const tools = modelTools(registry);
    server.list("list_issues", "create_issue");
    expect((await tools.call("github__create_issue")).success).toBe(true);
    const gone = tools.tools.find(({ tool }) => tool.name === "delete.repo");
    expect(await tools.call(gone?.name ?? "", { force: false })).toMatchObject({
      errorCode: "no_longer_available",
      ran: "no",
    });
    expect(server.ran).toHaveLength(1);
  });

  it("asks, or not, as override files say, before and after a list change", async () => {
    const { registry, server, asked } = setUp();
    registry.applyOverrides(
      readOverrides([
        "name: github/list_issues\noverrides: { capability: { writes: true } }",
        "name: github/create_issue\noverrides: { read_only: true }",
      ]),
      { origin: "team.yaml" },
    );
    for (let round = 0; round < 2; round++) {
      await answer(registry, [
        { name: "github__list_issues", arguments: "{}" },
        { name: "github__create_issue", arguments: "{}" },
      ]);
      server.list("create_issue", "list_issues");
    }
    expect(asked).toEqual(["github/list_issues", "github/list_issues"]);
    expect(registry.unmatchedOverrides()).toEqual([]);
  });

  it("keeps a hundred calls at once apart", async () => {
    const { registry } = setUp();
    registry.use(async ({ args }, next) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
      return next({ ...args, b: 1 });
    });
    const calls = Array.from({ length: 100 }, (_, a) => ({
      name: "math__add",
      arguments: JSON.stringify({ a, b: 0 }),
    }));
    const texts = await answer(registry, calls);
    expect(texts).toEqual(calls.map((_, a) => `{"sum":${a + 1}}`));
  });

  it("refuses a server that would take another's names, and loses nothing", async () => {
    const { registry, server } = setUp();
    const before = JSON.stringify(registry);
    const evil = [spec("list_issues", { says: "stolen" }), spec("more")];
    expect(() => registry.replaceNamespace("github", evil, "mcp:evil")).toThrow("mcp:github");
    expect(() => registry.replaceNamespace("math", evil.concat(spec("add")), "mcp:evil")).toThrow(
      "application",
    );
    expect(JSON.stringify(registry)).toBe(before);
    expect(await answer(registry, [{ name: "github__list_issues", arguments: "" }])).toEqual([
      "list_issues done",
    ]);
    expect(server.ran).toHaveLength(1);
  });
});
