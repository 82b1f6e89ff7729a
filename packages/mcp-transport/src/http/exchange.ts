import type { RequestId } from "../engine/engine-wire.ts";

/**
 * The HTTP requests that the SDK makes for one message of ours: the POST, and what follows from it,
 * as the resumption of a stream that broke.
 */
export interface Exchange {
  /** Of the JSON-RPC request; a notification has none. */
  readonly id?: RequestId | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly leaving: () => void;
  /** Whether the SDK has still to say how sending went. */
  sending: boolean;
  /** Responses that came; the server has seen the request then, whatever fails after it. */
  responses: number;
  failedResumptions: number;
}
