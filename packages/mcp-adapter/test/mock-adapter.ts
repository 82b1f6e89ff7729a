import {
  type MockServer,
  type MockServerOptions,
  type MockTool,
  MockTransport,
  mockServer,
} from "@x/mcp-transport/testing";
import { beforeAll, describe } from "vitest";
import { type MCPAdapterEvent, MCPToolAdapter, type MCPToolAdapterOptions } from "../src/index.ts";
import { type Engine, engines } from "./engine-adapter.ts";

let engine: Engine = "v1";

/** The suite over each SDK's client; only the messages are mocked. */
export function overEngines(suite: () => void): void {
  describe.each(engines)("engine %s", (name) => {
    beforeAll(() => {
      engine = name;
    });
    suite();
  });
}

export interface MockedAdapter {
  readonly server: MockServer;
  readonly transport: MockTransport;
  readonly adapter: MCPToolAdapter;
  readonly events: MCPAdapterEvent[];
}

export function mockedAdapter(
  serverOptions: MockServerOptions = {},
  options: Partial<MCPToolAdapterOptions> = {},
): MockedAdapter {
  const server = mockServer(serverOptions);
  const transport = new MockTransport(server, { engine });
  const events: MCPAdapterEvent[] = [];
  const adapter = new MCPToolAdapter(
    { name: "mock" },
    { recovery: "manual", transport, onEvent: (event) => events.push(event), ...options },
  );
  return { server, transport, adapter, events };
}

export async function connectedMock(
  serverOptions?: MockServerOptions,
  options?: Partial<MCPToolAdapterOptions>,
): Promise<MockedAdapter> {
  const mocked = mockedAdapter(serverOptions, options);
  await mocked.adapter.connect();
  return mocked;
}

export const addTool: MockTool & { call(args: Record<string, unknown>): object } = {
  name: "add",
  description: "Adds two numbers.",
  inputSchema: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"],
  },
  call: ({ a, b }: Record<string, unknown>) => ({
    content: [{ type: "text", text: String(Number(a) + Number(b)) }],
    structuredContent: { sum: Number(a) + Number(b) },
  }),
};
