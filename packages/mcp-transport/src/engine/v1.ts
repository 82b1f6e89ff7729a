import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  ElicitRequestSchema,
  ListRootsRequestSchema,
  type Notification,
  type Request,
  type Result,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import type { MCPWire } from "../wire.ts";
import type { EngineClient, EngineOptions } from "./engine.ts";

// Our own clock ends every request; the SDK's must never be first.
const timeout = 2 ** 31 - 1;

/** Engine v1: the client of `@modelcontextprotocol/sdk`, for protocol versions up to 2025-11-25. */
export async function connectV1(port: MCPWire, options: EngineOptions): Promise<EngineClient> {
  const { onElicit, roots } = options;
  const client = new Client<Request, Notification, Result>(options.clientInfo, {
    capabilities: { ...(onElicit && { elicitation: {} }), ...(roots && { roots: {} }) },
  });
  if (roots) {
    client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [...roots] }));
  }
  if (onElicit) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      try {
        return await onElicit(params);
      } catch (cause) {
        options.onDiagnostic(new Error("onElicit failed", { cause }));
        // Why it failed is not for the server.
        throw new Error("The client could not answer");
      }
    });
  }
  client.onerror = options.onDiagnostic;
  await client.connect(port, { timeout });
  return {
    request: (method, params, signal) =>
      client.request({ method, params }, z.unknown(), { signal, timeout }),
  };
}
