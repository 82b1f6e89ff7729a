import { MCPTransportError } from "../../src/index.ts";

/** The error that a promise rejects with, which has to be one of ours. */
export async function failure(promise: Promise<unknown>): Promise<MCPTransportError> {
  const error = await promise.then(
    () => new Error("it succeeded"),
    (reason: unknown) => reason,
  );
  if (error instanceof MCPTransportError) return error;
  throw error;
}
