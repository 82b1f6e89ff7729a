import { Client, SdkError, SdkErrorCode, type Transport } from "@modelcontextprotocol/client";
import { MCPTransportError } from "../errors.ts";
import type { MCPWire } from "../wire.ts";
import type { EngineClient, EngineOptions } from "./engine.ts";
import { modernVersion } from "./handshake.ts";

// Our own clock ends every request; the SDK's must never be first.
const timeout = 2 ** 31 - 1;

/** Takes every answer as it is: the form of results is looked at elsewhere. */
const anything = {
  "~standard": {
    version: 1 as const,
    vendor: "@x/mcp-transport",
    validate: (value: unknown) => ({ value }),
  },
};

/** Engine v2: the client of `@modelcontextprotocol/client`, for 2026-07-28 and what was before it. */
export async function connectV2(port: MCPWire, options: EngineOptions): Promise<EngineClient> {
  const { era, probeTimeoutMs } = options;
  const client = createClient(options);
  client.onerror = options.onDiagnostic;
  try {
    // The same interface, spelt without the SDK's types.
    await client.connect(port as Transport, { timeout });
  } catch (cause) {
    throw connectFailure(era, probeTimeoutMs, cause);
  }
  return {
    async request(method, params, signal, headers) {
      try {
        const sending = { signal, timeout, ...(headers && { headers }) };
        return await client.request({ method, params }, anything, sending);
      } catch (cause) {
        throw notInEra(method, cause);
      }
    },
    ...(client.getProtocolEra() === "modern" && {
      listen: (filter: Readonly<Record<string, boolean>>, timeoutMs: number) =>
        client.listen(filter, { timeout: timeoutMs }),
    }),
  };
}

function createClient(options: EngineOptions): Client {
  const { era, probeTimeoutMs, onElicit, roots } = options;
  const mode = era === "modern" ? { pin: modernVersion } : era;
  const client = new Client(options.clientInfo, {
    capabilities: { ...(onElicit && { elicitation: {} }), ...(roots && { roots: {} }) },
    versionNegotiation: { mode, probe: { timeoutMs: probeTimeoutMs } },
  });
  if (roots) client.setRequestHandler("roots/list", () => ({ roots: [...roots] }));
  if (onElicit) {
    client.setRequestHandler("elicitation/create", async ({ params }) => {
      try {
        // The SDK checks the form of what comes.
        return (await onElicit(params)) as { action: "accept" | "decline" | "cancel" };
      } catch (cause) {
        options.onDiagnostic(new Error("onElicit failed", { cause }));
        // Why it failed is not for the server.
        throw new Error("The client could not answer");
      }
    });
  }
  return client;
}

/** What the wire said, if it did; else what the SDK made of the server's answer. */
function connectFailure(
  era: EngineOptions["era"],
  probeTimeoutMs: number,
  error: unknown,
): unknown {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof MCPTransportError) return cause;
  }
  if (era === "legacy") return error;
  const late = error instanceof SdkError && error.code === SdkErrorCode.RequestTimeout;
  const why = late
    ? `no answer to server/discover within ${probeTimeoutMs} ms`
    : `the server does not speak protocol version ${modernVersion}; protocol "auto" or "legacy" may do`;
  return new MCPTransportError("unsupported", why, { cause: error });
}

function notInEra(method: string, error: unknown): unknown {
  const code = error instanceof SdkError ? error.code : undefined;
  if (code !== SdkErrorCode.MethodNotSupportedByProtocolVersion) return error;
  return new MCPTransportError(
    "unsupported",
    `${method} is not part of the protocol version that the server speaks`,
    { cause: error, delivery: "not_sent" },
  );
}
