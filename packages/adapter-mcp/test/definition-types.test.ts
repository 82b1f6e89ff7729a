import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Client as ClientV2 } from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { MCPToolAdapter } from "@x/mcp-adapter";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { z } from "zod";
import type { z as z3 } from "zod3";
import type {
  ContentPart,
  equipMCP,
  MCPClientAdapter,
  MCPClientLike,
  MCPKit,
  MessageContent,
  ToolDefinition,
  ToolMiddleware,
  toClientFacade,
} from "../src/index.ts";
import type { program } from "./fixtures/consumer/consumer.ts";
import type * as contract from "./host/contract.ts";

/** What is handed to the host and taken from its users, as types. */

describe("a tool definition", () => {
  it("is Rejelly's, both ways", () => {
    expectTypeOf<ToolDefinition>().toExtend<contract.ToolDefinition>();
    expectTypeOf<contract.ToolDefinition>().toExtend<ToolDefinition>();
    expectTypeOf<MCPKit["tools"][number]>().toEqualTypeOf<ToolDefinition>();
    expectTypeOf<ToolDefinition["parameters"]>().toEqualTypeOf<z.ZodTypeAny>();
    expectTypeOf<ToolDefinition["parameters"]>().not.toExtend<z3.ZodTypeAny>();
    expectTypeOf<ToolMiddleware>().toExtend<contract.ToolMiddleware>();
    expectTypeOf<contract.ToolMiddleware>().toExtend<ToolMiddleware>();
  });

  it("goes into the host's own functions", () => {
    expectTypeOf<contract.RejellyCore["equipTool"]>().toBeCallableWith({} as ToolDefinition);
    expectTypeOf<contract.RejellyCore["callTool"]>().parameter(0).toExtend<ToolDefinition>();
    expectTypeOf<MessageContent>().toEqualTypeOf<contract.MessageContent>();
    expectTypeOf<ContentPart>().toEqualTypeOf<contract.ContentPart>();
    expectTypeOf<contract.RejellyCore["equipInstruction"]>().toBeCallableWith({} as MessageContent);
  });
});

describe("a client", () => {
  it("of either SDK, of mcp-adapter, or a facade, needs no cast", () => {
    expectTypeOf<ClientV1>().toExtend<MCPClientLike>();
    expectTypeOf<ClientV2>().toExtend<MCPClientLike>();
    expectTypeOf<MCPToolAdapter["client"]>().toExtend<MCPClientLike>();
    expectTypeOf<MCPClientAdapter>().toExtend<MCPClientLike>();
    expectTypeOf<typeof toClientFacade>().returns.toExtend<MCPClientAdapter>();
    expectTypeOf<{ listTools(): Promise<unknown> }>().not.toExtend<MCPClientLike>();
    expectTypeOf<string>().not.toExtend<MCPClientLike>();
  });

  it("keeps its type in the kit", () => {
    expectTypeOf<typeof equipMCP<ClientV1>>().returns.resolves.toEqualTypeOf<MCPKit<ClientV1>>();
  });
});

describe("a program of a Rejelly user", () => {
  const folder = fileURLToPath(new URL("../", import.meta.url));
  const tools = new URL("../../../node_modules/.bin/", import.meta.url);
  const tsc = fileURLToPath(new URL("tsc", tools));
  const compile = (...args: string[]) =>
    promisify(execFile)(tsc, args, { cwd: folder }).then(
      () => "",
      (error: { stdout: string }) => error.stdout,
    );

  it("compiles with Zod 4, as a part of this one", () => {
    expectTypeOf<typeof program>().returns.resolves.toEqualTypeOf<readonly MCPKit[]>();
  });

  it("compiles against our declarations with Zod 3.25 at the root", {
    timeout: 60_000,
  }, async () => {
    const outDir = "node_modules/.cache/declarations";
    expect(await compile("-p", "tsconfig.build.json", "--outDir", outDir)).toBe("");
    expect(await compile("-p", "test/fixtures/consumer/tsconfig.zod3.json")).toBe("");
  });
});
