import { endsEarly } from "./early-end.ts";
import { type Arrivals, arrive, type HttpExchange, readBody } from "./http-exchange.ts";

/**
 * Reads a POST and puts its messages on record.
 * @returns undefined if the client went away, or a fault has ended the exchange
 */
export async function receivePost(exchange: HttpExchange): Promise<Arrivals | undefined> {
  const body = await readBody(exchange.request);
  if (body === undefined) return undefined;
  const received = arrive(exchange, body);
  const fired = received.arrivals.map(({ before }) => before);
  return (await endsEarly(exchange, fired)) ? undefined : received;
}
