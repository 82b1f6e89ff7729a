import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { StreamableHttpTransport } from "../src/index.ts";
import { events, json, mcp } from "./support/http-server.ts";

// Before undici sets its first timer, which it then keeps. The sockets are real.
beforeAll(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});

afterAll(() => {
  vi.useRealTimers();
});

it.each(["the headers", "the body"])(
  "a call may take longer than 300 s, whether %s are waited for",
  async (what) => {
    let answer = (): void => {};
    const server = await mcp({
      call: ({ id }, _request, response) => {
        const result = { jsonrpc: "2.0", id, result: { late: true } };
        if (what === "the body") events(response, ": at work\n\n");
        answer = () => {
          if (what === "the headers") json(response, result);
          else response.end(`data: ${JSON.stringify(result)}\n\n`);
        };
      },
    });
    const connection = await new StreamableHttpTransport({ name: "slow", url: server.url }).open();
    const call = connection.callTool("t", {}, { timeoutMs: 7_200_000 });
    const ended = vi.fn();
    call.then(ended, ended);
    await untilSeen(() => server.of("tools/call").length > 0);
    for (let minute = 0; minute < 60; minute += 1) await vi.advanceTimersByTimeAsync(60_000);
    expect(ended).not.toHaveBeenCalled();
    answer();
    expect(await call).toEqual({ late: true });
    await connection.close();
  },
);

async function untilSeen(seen: () => boolean): Promise<void> {
  while (!seen()) await new Promise((resolve) => setImmediate(resolve));
  // What was written has reached the other side by then.
  for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
