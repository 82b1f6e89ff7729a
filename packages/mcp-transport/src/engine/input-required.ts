import type { JsonObject } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import type { OpenOptions } from "../transport.ts";
import { isObject } from "./handshake.ts";

export type InputAnswers = Pick<OpenOptions, "onElicit" | "roots">;

/** How often one request may ask before it has to answer. */
export const mostRounds = 10;

/** Before a request that the server only put off is sent again. */
const putOffMs = 250;

/**
 * Answers what a result of type `input_required` asks for.
 * @returns what the request is to carry when it is sent again
 * @throws MCPTransportError `unsupported` for what was not declared; `invalid_result`
 */
export async function answerInputs(
  label: string,
  { inputRequests, requestState }: JsonObject,
  answers: InputAnswers,
): Promise<JsonObject> {
  const asked = isObject(inputRequests) ? Object.entries(inputRequests) : [];
  if (asked.length === 0 && typeof requestState !== "string") {
    throw new MCPTransportError("invalid_result", `${label}: input is required, but none is named`);
  }
  if (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, putOffMs));
  const inputResponses = await Promise.all(
    asked.map(async ([key, request]) => [key, await answerInput(label, request, answers)]),
  );
  return {
    ...(asked.length > 0 && { inputResponses: Object.fromEntries(inputResponses) }),
    // Opaque: sent back as it came, or not at all.
    ...(typeof requestState === "string" && { requestState }),
  };
}

async function answerInput(
  label: string,
  request: unknown,
  { onElicit, roots }: InputAnswers,
): Promise<unknown> {
  const { method, params } = isObject(request) ? request : {};
  if (method === "elicitation/create" && onElicit !== undefined) {
    const asked = isObject(params) ? params : {};
    if (asked["mode"] !== "url") return elicit(label, asked, onElicit);
  }
  if (method === "roots/list" && roots !== undefined) return { roots: [...roots] };
  const what = typeof method === "string" ? method.slice(0, 80) : "nothing that has a name";
  const hint = method === "elicitation/create" && onElicit === undefined ? "; see onElicit" : "";
  throw new MCPTransportError(
    "unsupported",
    `${label}: the server asks for ${what}, which this client did not offer${hint}`,
  );
}

async function elicit(
  label: string,
  params: JsonObject,
  onElicit: NonNullable<InputAnswers["onElicit"]>,
): Promise<unknown> {
  try {
    return await onElicit(params);
  } catch (cause) {
    throw new MCPTransportError("unsupported", `${label}: onElicit failed`, { cause });
  }
}
