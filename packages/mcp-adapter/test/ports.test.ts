import type { Capability } from "@x/capability-infer";
import type * as registry from "@x/tool-registry";
import type { ToolErrorCode, ToolRegistry, ToolResult } from "@x/tool-registry";
import { compileSchema } from "@x/tool-schema";
import { describe, expectTypeOf, it } from "vitest";
import type {
  CompileSchema,
  Evidence,
  MCPErrorCode,
  MCPSinkTool,
  MCPToolResult,
  MCPToolSink,
  ToolCapability,
} from "../src/index.ts";

describe("the ports fit their partners", () => {
  it("ToolRegistry is a sink", () => {
    expectTypeOf<ToolRegistry>().toExtend<MCPToolSink>();
    expectTypeOf<MCPSinkTool>().toExtend<registry.ToolSpec>();
  });

  it("a result of this package is a result of the registry", () => {
    expectTypeOf<MCPToolResult>().toExtend<ToolResult>();
    expectTypeOf<MCPErrorCode>().toExtend<ToolErrorCode>();
  });

  it("the three packages mean the same by evidence and capability", () => {
    expectTypeOf<Capability["because"][number]>().toEqualTypeOf<Evidence>();
    expectTypeOf<registry.Evidence>().toEqualTypeOf<Evidence>();
    expectTypeOf<Capability>().toExtend<ToolCapability>();
    expectTypeOf<ToolCapability>().toExtend<NonNullable<registry.ToolSpec["capability"]>>();
  });

  it("compileSchema of tool-schema is a CompileSchema", () => {
    expectTypeOf(compileSchema).toExtend<CompileSchema>();
  });
});
