import { readFileSync } from "node:fs";
import type { ToolRegistry } from "@x/tool-registry";
import { describe, expect, expectTypeOf, it } from "vitest";
import {
  connectServers,
  type MCPAdapterErrorCode,
  type MCPErrorCode,
  type MCPServerEntry,
  MCPToolAdapter,
  type MCPToolResult,
  type MCPToolSink,
  readServers,
} from "../src/index.ts";
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

  it("a map may be an interface, with arguments that are interfaces", () => {
    interface GetWeather {
      city: string;
      days?: number;
    }
    interface Tools {
      get_weather: { args: GetWeather; structured: { celsius: number } };
      ping: { args: Record<string, never> };
    }
    const check = async (adapter: MCPToolAdapter<Tools>, args: GetWeather) => {
      const result = await adapter.invoke("get_weather", args, { timeoutMs: 1_000 });
      if (result.success) {
        expectTypeOf(result.structuredContent?.celsius).toEqualTypeOf<number | undefined>();
        expectTypeOf(result.error).toEqualTypeOf<null>();
      } else {
        expectTypeOf(result.error).toEqualTypeOf<string>();
        // @ts-expect-error no such code
        if (result.errorCode === "not_fond") return;
      }
      await adapter.invoke("ping");
      // @ts-expect-error no such argument
      await adapter.invoke("get_weather", { city: "Rome", dais: 2 });
      // @ts-expect-error ping takes nothing
      await adapter.invoke("ping", { at: 1 });
      // @ts-expect-error a number is no options object
      await adapter.invoke("ping", {}, 1_000);
      // @ts-expect-error the structured content of a failure is not the tool's
      result.structuredContent?.celsius;
    };
    expectTypeOf(check).toBeFunction();
    expectTypeOf<Parameters<MCPToolAdapter<Tools>["invoke"]>[0]>().toEqualTypeOf<keyof Tools>();
    expectTypeOf<MCPToolAdapter<Tools>>().toExtend<MCPServerEntry>();
    // @ts-expect-error a tool without arguments is no entry of a map
    expectTypeOf<MCPToolAdapter<{ ping: { structured: number } }>>().toBeObject();
  });

  it("a registry with a map is a sink as well", () => {
    type Typed = ToolRegistry<{ "weather/get_weather": { args: { city: string } } }>;
    expectTypeOf<Typed>().toExtend<MCPToolSink>();
  });

  it("programs with many servers need no annotation", () => {
    const check = async (registry: ToolRegistry) => {
      const reading = readServers("{}", { env: process.env });
      for (const { server, field, variable, message } of [...reading.problems, ...reading.ignored])
        expectTypeOf([server, field, variable ?? "", message]).toEqualTypeOf<string[]>();
      const hub = await connectServers(reading, {
        registry,
        required: ["a"],
        adapterOptions: { onEvent: (event) => event.server, filter: { exclude: ["x_*"] } },
      });
      for (const { server, error } of hub.failed) {
        expectTypeOf(server).toEqualTypeOf<string>();
        expectTypeOf(error.code).toEqualTypeOf<MCPAdapterErrorCode>();
      }
      for (const [name, adapter] of hub.adapters) {
        expectTypeOf(name).toEqualTypeOf<string>();
        expectTypeOf(await adapter.invoke("x", { any: 1 })).toEqualTypeOf<MCPToolResult>();
      }
      await connectServers([
        { name: "a", command: "node" },
        { name: "b", url: "https://a.b/", headers: () => ({ Authorization: "x" }) },
        new MCPToolAdapter<Weather>({ name: "c", command: "node" }),
      ]);
      // @ts-expect-error neither command nor url
      await connectServers([{ name: "a" }]);
      // @ts-expect-error no such option
      await connectServers([], { timeoutMs: 5 });
      // @ts-expect-error one transport for all
      await connectServers([], { adapterOptions: { transport: undefined } });
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
