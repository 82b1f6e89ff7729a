import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { onTestFinished } from "vitest";

/** Clients of both official SDKs, connected to real servers and closed when the test is over. */

export type Sdk = "v1" | "v2";
export const sdks: readonly Sdk[] = ["v1", "v2"];

interface Command {
  readonly command: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}
type Target = Command | { readonly url: string };

const info = { name: "suite", version: "1.0.0" };

export async function connectV1(target: Target): Promise<ClientV1> {
  const client = new ClientV1(info);
  const transport =
    "url" in target ? new HttpV1(new URL(target.url)) : new StdioV1(parameters(target));
  // Under exactOptionalPropertyTypes the SDK's own transports do not fit its own interface.
  await client.connect(transport as Transport);
  onTestFinished(() => client.close());
  return client;
}

export async function connectV2(target: Target): Promise<ClientV2> {
  const client = new ClientV2(info);
  await client.connect(
    "url" in target ? new HttpV2(new URL(target.url)) : new StdioV2(parameters(target)),
  );
  onTestFinished(() => client.close());
  return client;
}

export function connect(sdk: Sdk, target: Target): Promise<ClientV1 | ClientV2> {
  return sdk === "v1" ? connectV1(target) : connectV2(target);
}

function parameters({ command, args = [], env = {} }: Command) {
  return { command, args: [...args], env: { ...env }, stderr: "ignore" as const };
}
