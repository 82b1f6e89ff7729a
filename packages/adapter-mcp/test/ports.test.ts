import type { Client as ClientV2 } from "@modelcontextprotocol/client";
import type { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import type { MCPToolAdapter } from "@x/mcp-adapter";
import { describe, expectTypeOf, it } from "vitest";
import type { MCPClientAdapter, MCPClientLike } from "../src/index.ts";

describe("the port for clients fits without a cast", () => {
  it("the client of SDK v1", () => {
    expectTypeOf<ClientV1>().toExtend<MCPClientLike>();
  });
  it("the client of SDK v2", () => {
    expectTypeOf<ClientV2>().toExtend<MCPClientLike>();
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
