import {
  Client as ClientV2,
  StreamableHTTPClientTransport as HttpV2,
  type Transport as TransportV2,
} from "client-oldest";
import { StdioClientTransport as StdioV2 } from "client-oldest/stdio";
import { Client as ClientV1 } from "sdk-oldest/client/index.js";
import { StdioClientTransport as StdioV1 } from "sdk-oldest/client/stdio.js";
import { StreamableHTTPClientTransport as HttpV1 } from "sdk-oldest/client/streamableHttp.js";
import type { Transport as TransportV1 } from "sdk-oldest/shared/transport.js";
import { onTestFinished } from "vitest";
import type { Sdk } from "./clients.ts";

/** Clients of the oldest versions of both SDKs that the README names. */

type Target = { readonly command: string; readonly args: string[] } | { readonly url: string };

const info = { name: "suite", version: "1.0.0" };

export async function connectOldest(sdk: Sdk, target: Target): Promise<ClientV1 | ClientV2> {
  const client = sdk === "v1" ? await connectV1(target) : await connectV2(target);
  onTestFinished(() => client.close());
  return client;
}

async function connectV1(target: Target): Promise<ClientV1> {
  const client = new ClientV1(info);
  const transport = "url" in target ? new HttpV1(new URL(target.url)) : new StdioV1(quiet(target));
  // Under exactOptionalPropertyTypes the SDK's own transports do not fit its own interface.
  await client.connect(transport as TransportV1);
  return client;
}

async function connectV2(target: Target): Promise<ClientV2> {
  const client = new ClientV2(info);
  const transport: TransportV2 =
    "url" in target ? new HttpV2(new URL(target.url)) : new StdioV2(quiet(target));
  await client.connect(transport);
  return client;
}

function quiet<T extends object>(command: T): T & { stderr: "ignore" } {
  return { ...command, stderr: "ignore" };
}
