import type { JsonObject } from "../connection.ts";
import { MCPTransportError } from "../errors.ts";
import { readModernAnswer } from "./answer.ts";
import { type Flight, withDelivery } from "./flight.ts";
import { answerInputs, type InputAnswers, mostRounds } from "./input-required.ts";
import { sendError } from "./session-errors.ts";

/** Ends a request of 2026-07-28 with its answer, or asks again with the input that it wants. */
export function landModern(
  flight: Flight,
  answer: JsonObject | MCPTransportError,
  answers: InputAnswers,
): void {
  const read = readModernAnswer(flight.label, answer);
  if (read instanceof MCPTransportError) flight.fail(withDelivery(read, "unknown"));
  else if (read.kind === "complete") flight.succeed(read.result);
  else void giveInput(flight, read.result, answers);
}

async function giveInput(flight: Flight, asked: JsonObject, answers: InputAnswers): Promise<void> {
  flight.alive();
  flight.rounds += 1;
  try {
    if (flight.rounds > mostRounds) {
      const message = `${flight.label}: asked for input more than ${mostRounds} times`;
      throw new MCPTransportError("invalid_result", message);
    }
    const more = await answerInputs(flight.label, asked, answers);
    if (!flight.signal.aborted) flight.resume(more);
  } catch (error) {
    flight.fail(sendError(flight.label, error));
  }
}
