import { readFileSync } from "node:fs";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { MCPErrorCode, MCPToolAdapter, MCPToolResult } from "../src/index.ts";
import { clientInfo } from "../src/version.ts";

type Weather = {
  get_weather: { args: { city: string; days?: number }; structured: { celsius: number } };
  list_cities: { args: Record<string, never> };
};

describe("types", () => {
  it("a tool map completes names and arguments, and refuses wrong ones", () => {
    const check = async (adapter: MCPToolAdapter<Weather>) => {
      const result = await adapter.invoke("get_weather", { city: "Rome" });
      if (result.success) {
        expectTypeOf(result.structuredContent).toEqualTypeOf<{ celsius: number } | undefined>();
      } else {
        expectTypeOf(result.errorCode).toEqualTypeOf<MCPErrorCode>();
        expectTypeOf(result.ran).toEqualTypeOf<"no" | "yes" | "unknown">();
      }
      await adapter.invoke("list_cities");
      // @ts-expect-error no such tool
      await adapter.invoke("get_wether", { city: "Rome" });
      // @ts-expect-error city is a string
      await adapter.invoke("get_weather", { city: 7 });
      // @ts-expect-error city is required
      await adapter.invoke("get_weather");
    };
    expectTypeOf(check).toBeFunction();
  });

  it("without a map every name and every object of arguments compiles", () => {
    const check = (adapter: MCPToolAdapter) => adapter.invoke("anything", { at: ["all"] });
    expectTypeOf(check).returns.resolves.toEqualTypeOf<MCPToolResult>();
  });

  it("the version sent in the handshake is the package's", () => {
    const manifest = JSON.parse(
      readFileSync(new URL("../package.json", import.meta.url), "utf8"),
    ) as object;
    expect(manifest).toMatchObject(clientInfo);
  });
});
