import { readFileSync } from "node:fs";
import { echo } from "@x/test-servers";
import { modelNames, modelTools, resultParts, resultText, ToolRegistry } from "@x/tool-registry";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MCPToolResult } from "../src/index.ts";
import { adapterOver, type Engine, engines } from "./engine-adapter.ts";

/** Cases from public bug reports, end to end through a real process. */

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
  readonly [key: string]: unknown;
  readonly readOnlyNames?: string[];
  readonly writeNames?: string[];
  readonly tolerateWrite?: string[];
  readonly modelNamePattern?: string;
  readonly modelTextIncludes?: string[];
  readonly modelTextExcludes?: string[];
  readonly neverIncludes?: string[];
  readonly parts?: string[];
}

const read = (name: string): Case[] =>
  JSON.parse(readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url), "utf8"));

async function registeredCase(
  engine: Engine,
  { toolName = [], namespace = "ns", annotations }: Case,
) {
  const names = [toolName].flat();
  const tools = names.map((name) => ({ name, ...(annotations && { annotations }) }));
  const registry = new ToolRegistry();
  const config = { name: "case", ...echo(tools) };
  const adapter = adapterOver(engine, config, { recovery: "manual" });
  await adapter.connect();
  await adapter.registerTools(registry, namespace);
  return { adapter, names, namespace, registry, offered: modelTools(registry) };
}

const overEngines = (cases: readonly Case[]) =>
  cases.flatMap((fixture) => engines.map((engine) => ({ id: fixture.id, engine, fixture })));

describe.concurrent.each(overEngines(read("names")))(
  "$id, engine $engine",
  ({ engine, fixture }) => {
    const { check } = fixture;
    let ready: Awaited<ReturnType<typeof registeredCase>>;
    beforeAll(async () => {
      ready = await registeredCase(engine, fixture);
    });
    afterAll(() => ready.adapter.disconnect());

    it("registers every tool under its own id", () => {
      const { registry, namespace, names } = ready;
      expect([...registry].map(({ id }) => id)).toEqual(
        names.map((name) => `${namespace}/${name}`),
      );
    });

    it("offers each under a name of its own that stays the same, and calls it by its original one", async () => {
      const { offered, names, registry } = ready;
      const ids = [...registry].map(({ id }) => id);
      const again = modelNames(ids.reverse());
      const pattern = new RegExp(check.modelNamePattern ?? ".");
      for (const { name, tool } of offered.tools) {
        expect(name).toMatch(pattern);
        expect(again.toModel(tool.id)).toBe(name);
        const result = await offered.call(name, {});
        expect(JSON.parse(resultText(result))).toEqual({ name: tool.name, args: {} });
      }
      expect(new Set(offered.tools.map(({ name }) => name)).size).toBe(names.length);
    });

    it("judges what each may do", () => {
      const { registry, namespace, names } = ready;
      const judged = (name: string) => [name, registry.find(namespace, name)?.capability?.readOnly];
      const strict = names.filter((name) => !check.tolerateWrite?.includes(name));
      const expected = check["readOnly"];
      const readers = expected === true ? strict : (check.readOnlyNames ?? []);
      const writers = expected === false ? strict : (check.writeNames ?? []);
      expect(readers.map(judged)).toEqual(readers.map((name) => [name, true]));
      expect(writers.map(judged)).toEqual(writers.map((name) => [name, false]));
    });
  },
);

describe.concurrent.each(overEngines(read("results")))(
  "$id, engine $engine",
  ({ engine, fixture }) => {
    const { toolResult, outputSchema, check } = fixture;
    let result: MCPToolResult;
    beforeAll(async () => {
      const tool = { name: "tool-t", ...(outputSchema && { outputSchema }) };
      const config = { name: "case", ...echo([tool], toolResult) };
      const adapter = adapterOver(engine, config, { recovery: "manual" });
      await adapter.connect();
      result = await adapter.invoke("tool-t");
      await adapter.disconnect();
    });

    it("is kept as it came", () => {
      expect(result.data).toEqual(toolResult);
      expect(result.errorCode).toBe(check["isError"] ? "server_error" : null);
      const wanted = "structured" in check ? check["structured"] : result.structuredContent;
      expect(result.structuredContent).toEqual(wanted);
      expect(result.error ?? "server error: tool-t").toMatch(/server error: ./);
    });

    it("gives a model its text, in order", () => {
      const text = resultText(result);
      expect(text).not.toContain("undefined");
      const found = (check.modelTextIncludes ?? []).map((part) => text.indexOf(part));
      expect(found).not.toContain(-1);
      const order = check["inOrder"] ? found : [];
      expect(order).toEqual([...order].sort((a, b) => a - b));
      for (const part of check.modelTextExcludes ?? []) expect(text).not.toContain(part);
      expect(text).not.toContain("iVBORw0KGgo");
    });

    it("gives a model its parts", () => {
      const parts = resultParts(result);
      const types = parts.map(({ type }) => type);
      expect(types).toEqual(check.parts ?? types);
      for (const part of check.neverIncludes ?? [])
        expect(JSON.stringify(parts)).not.toContain(part);
    });
  },
);
