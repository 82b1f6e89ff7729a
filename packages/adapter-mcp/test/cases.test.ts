import { readFileSync } from "node:fs";
import { describe, expect, it, vi } from "vitest";
import { equipMCP } from "../src/index.ts";
import type { MessageContent } from "./host/contract.ts";
import { inAgent, runCall, runCalls } from "./host/run.ts";
import { connect, sdks } from "./servers/clients.ts";
import { listed, tool } from "./servers/listed.ts";
import { serve } from "./servers/testkit.ts";

vi.mock("@rejelly/core", async () => (await import("./host/core.ts")).core);

/** Cases from public bug reports, through a real server and both SDKs to what the model gets. */

interface Case {
  readonly id: string;
  readonly toolName?: string | string[];
  readonly namespace?: string;
  readonly annotations?: object;
  readonly toolResult?: object;
  readonly outputSchema?: object;
  readonly check: Check;
}
interface Check {
  readonly isError?: boolean;
  readonly modelNamePattern?: string;
  readonly modelTextIncludes?: string[];
  readonly modelTextExcludes?: string[];
  readonly neverIncludes?: string[];
  readonly parts?: string[];
  readonly inOrder?: boolean;
  readonly structured?: unknown;
}

const read = (name: string): Case[] =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8"));

const textOf = (content: MessageContent): string =>
  typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
const typesOf = (content: MessageContent): string[] =>
  typeof content === "string" ? ["text"] : content.map(({ type }) => type);

/** What the model reads of a failure is the message within its JSON. */
function unwrapped(content: MessageContent): { isError: boolean; content: MessageContent } {
  const [, message] = /^\{"error":true,"message":(".*")\}$/s.exec(String(content)) ?? [];
  return message === undefined
    ? { isError: false, content }
    : { isError: true, content: JSON.parse(message) };
}

describe.each(sdks)("with the %s client", (sdk) => {
  it.each(read("results"))("$id", async ({ toolResult, outputSchema, check }) => {
    const server = await serve({
      tools: [
        {
          listed: listed("tool-t", { type: "object" }, outputSchema && { outputSchema }),
          result: toolResult,
        },
      ],
    });
    const got = unwrapped(await runCall(await connect(sdk, server), "tool-t"));
    expect(got.isError).toBe(check.isError);
    const text = textOf(got.content);
    expect(text).not.toMatch(/undefined|\[object/);
    expect(text).not.toContain("iVBORw0KGgo");
    if (got.isError) expect(text).toMatch(/tool-t.*\S/s);
    const found = (check.modelTextIncludes ?? []).map((part) => text.indexOf(part));
    expect(found).not.toContain(-1);
    expect(found).toEqual(check.inOrder ? [...found].sort((a, b) => a - b) : found);
    for (const part of check.modelTextExcludes ?? []) expect(text).not.toContain(part);
    const types = typesOf(got.content);
    expect(types).toEqual(check.parts ?? types);
    for (const part of check.neverIncludes ?? []) {
      expect(JSON.stringify(got.content)).not.toContain(part);
    }
    if ("structured" in check) expect(text).toContain(JSON.stringify(check.structured));
    expect(server.calls).toHaveLength(1);
  });

  it.each(read("names"))("$id", async ({ toolName = [], namespace, annotations, check }) => {
    const names = [toolName].flat();
    const tools = names.map((name) =>
      annotations ? { listed: listed(name, { type: "object" }, { annotations }) } : tool(name),
    );
    const server = await serve({ tools });
    const client = await connect(sdk, server);
    const equip = namespace === undefined ? {} : { namespace };
    const kit = await inAgent(() => equipMCP(client, { clientId: "c", ...equip }));
    const registered = kit.tools.map(({ name }) => name);
    expect(new Set(registered).size).toBe(names.length);
    expect(Object.keys(kit.toolMap)).toEqual(registered);
    const pattern = new RegExp(check.modelNamePattern ?? "^[a-zA-Z0-9_-]{1,64}$");
    for (const name of registered) expect(name).toMatch(pattern);
    for (const [index, name] of registered.entries()) {
      await runCalls(client, [{ name, arguments: { index } }], { equip });
    }
    expect(server.calls.map((call) => call.arguments["index"])).toEqual(
      registered.map((_, i) => i),
    );
    expect(server.calls.map((call) => call.tool)).toEqual([...names].sort());
    server.setTools([...tools].reverse());
    const again = await inAgent(() => equipMCP(client, { clientId: "c", ...equip }));
    expect(again.tools.map(({ name }) => name)).toEqual(registered);
  });
});
