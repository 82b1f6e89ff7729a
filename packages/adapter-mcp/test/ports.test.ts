import { readFileSync } from "node:fs";
import type { Client as ClientV2 } from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { MCPToolAdapter } from "@x/mcp-adapter";
import type { Client as OldestV2 } from "client-oldest";
import type { Client as OldestV1 } from "sdk-oldest/client/index.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import manifest from "../package.json" with { type: "json" };
import type {
  MCPClientAdapter,
  MCPClientLike,
  McpCallClient,
  McpCatalogClient,
} from "../src/index.ts";

describe("the port for clients fits without a cast", () => {
  it("the client of SDK v1", () => {
    expectTypeOf<ClientV1>().toExtend<MCPClientLike>();
  });
  it("the client of SDK v2", () => {
    expectTypeOf<ClientV2>().toExtend<MCPClientLike>();
  });
  it("the oldest clients of both that are supported", () => {
    expectTypeOf<OldestV1>().not.toBeAny();
    expectTypeOf<OldestV2>().not.toBeAny();
    expectTypeOf<OldestV1>().toExtend<MCPClientLike>();
    expectTypeOf<OldestV2>().toExtend<MCPClientLike>();
    expectTypeOf<OldestV1>().toExtend<McpCatalogClient & McpCallClient>();
    expectTypeOf<OldestV2>().toExtend<McpCatalogClient & McpCallClient>();
  });
  it("adapter.client of mcp-adapter", () => {
    expectTypeOf<MCPToolAdapter["client"]>().toExtend<MCPClientLike>();
  });
  it("a facade by name and arguments", () => {
    expectTypeOf<MCPClientAdapter>().toExtend<MCPClientLike>();
    expectTypeOf<{
      listTools(): Promise<unknown[]>;
      callTool(name: string, args: Record<string, unknown>): Promise<{ content: unknown[] }>;
      getPrompt(name: string, args?: Record<string, string>): Promise<unknown>;
    }>().toExtend<MCPClientLike>();
  });
});

it("the README names the oldest clients that are tested here", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const versionOf = (alias: "sdk-oldest" | "client-oldest") =>
    manifest.devDependencies[alias].split("@").at(-1);
  expect(readme).toContain(
    `SDK v1 from ${versionOf("sdk-oldest")}, v2 from ${versionOf("client-oldest")}`,
  );
});
