import { describe, expect, it } from "vitest";
import { Session } from "../src/protocol/session.ts";
import { Sessions } from "../src/protocol/sessions.ts";
import { startTestServer, type TestServer } from "../src/server/test-server.ts";
import { stopping } from "./support/opened.ts";
import { exchange, openSession, post, type RawExchange } from "./support/raw-http.ts";
import { until, within } from "./support/within.ts";

const sessionOf = (id: string) => new Session("http", id);
const running = (id: string) => {
  const made = sessionOf(id);
  const controller = new AbortController();
  const occasion = { transport: "http", kind: "request" } as const;
  made.running.set(1, { controller, occasion });
  return { session: made, controller };
};

it("only known sessions are found", () => {
  const sessions = new Sessions();
  const [a, b] = [sessionOf("a"), sessionOf("b")];
  sessions.admit(a);
  expect([sessions.get("a"), sessions.knows(a)]).toEqual([undefined, false]);
  sessions.know(a);
  sessions.know(b);
  expect([...sessions]).toEqual([a, b]);
  sessions.forget(a);
  expect([sessions.get("a"), sessions.get("b"), sessions.get("__proto__")]).toEqual([
    ...[undefined, b, undefined],
  ]);
  sessions.forgetAll();
  expect([...sessions]).toEqual([]);
});

it("a session that took the place of another is not forgotten with it", () => {
  const sessions = new Sessions();
  const [old, young] = [sessionOf("same"), sessionOf("same")];
  sessions.know(old);
  sessions.know(young);
  sessions.forget(old);
  expect(sessions.get("same")).toBe(young);
});

it("closing reaches what runs in known, forgotten and unfinished sessions", () => {
  const sessions = new Sessions();
  const all = ["known", "forgotten", "unfinished"].map(running);
  const [known, forgotten, unfinished] = all.map((one) => one.session);
  if (known && forgotten && unfinished) {
    sessions.know(known);
    sessions.know(forgotten);
    sessions.forget(forgotten);
    sessions.admit(unfinished);
  }
  sessions.closeAll();
  expect(all.map(({ controller }) => controller.signal.aborted)).toEqual([true, true, true]);
  expect(all.map((one) => one.session.signal.aborted)).toEqual([true, true, true]);
  expect([...sessions]).toEqual([]);
});

it("what is forgotten and idle is dropped", () => {
  const sessions = new Sessions();
  const idle = sessionOf("idle");
  const listening = sessionOf("listening");
  let cuts = 0;
  listening.attach({ send: () => undefined, cut: () => (cuts += 1) });
  for (const one of [idle, listening]) sessions.forget(one);
  sessions.admit(sessionOf("next"));
  sessions.closeAll();
  expect([idle.signal.aborted, listening.signal.aborted, cuts]).toEqual([false, true, 1]);
});

it("a message goes to the newest listener, and to nobody if there is none", () => {
  const one = sessionOf("a");
  const heard: string[] = [];
  const listen = (name: string) =>
    one.attach({ send: () => heard.push(name), cut: () => heard.push(`${name} cut`) });
  one.notify({});
  listen("first");
  const detach = listen("second");
  one.notify({});
  detach();
  one.notify({});
  one.cutListeners(false);
  expect(heard).toEqual(["second", "first", "first cut"]);
});

const ping = { jsonrpc: "2.0", id: "p", method: "ping" };

async function opened(): Promise<{ server: TestServer; session: { "mcp-session-id": string } }> {
  const server = stopping(await startTestServer({ resumable: true }));
  return { server, session: await openSession(server.url) };
}

/** The ids of the events of a stream, in order. */
function idsOf({ text }: RawExchange): string[] {
  return [...text.matchAll(/^id: (.*)$/gm)].map(([, id = ""]) => id);
}

function slow(ms: number, steps: number) {
  const params = { name: "slow", arguments: { ms, steps }, _meta: { progressToken: "t" } };
  return { jsonrpc: "2.0", id: "s", method: "tools/call", params };
}

function resume(server: TestServer, session: object, lastEventId: string): RawExchange {
  const headers = { ...session, accept: "text/event-stream", "last-event-id": lastEventId };
  return exchange("GET", server.url, { headers });
}

describe("a resumable stream", () => {
  it("begins with an empty event and names every event", async () => {
    const { server, session } = await opened();
    const sent = post(server.url, ping, session);
    await within(sent.ended);
    const [first = "", second] = idsOf(sent);
    expect(sent.text.startsWith(`id: ${first}\nretry: 50\ndata: \n\n`)).toBe(true);
    expect([first, second]).toEqual([expect.stringMatching(/^s\d+-0$/), first.replace("-0", "-1")]);
    expect(sent.messages).toMatchObject([{ id: "p", result: {} }]);
  });

  it("gives what is missing, to whoever asks, as often as asked", async () => {
    const { server, session } = await opened();
    const sent = post(server.url, slow(6, 3), session);
    await within(sent.ended);
    const ids = idsOf(sent);
    expect(sent.messages).toHaveLength(4);
    for (const [index, id] of ids.entries()) {
      const again = resume(server, session, id);
      expect(await within(again.ended)).toBe("end");
      expect(again.messages).toEqual(sent.messages.slice(index));
      expect(idsOf(again)).toEqual(ids.slice(index + 1));
    }
  });

  it("goes on where the client came back, and the tool ran once", async () => {
    const { server, session } = await opened();
    const sent = post(server.url, slow(300, 6), session);
    await until(() => sent.messages.length >= 1, "progress");
    sent.abort();
    await within(sent.ended);
    const [last = ""] = idsOf(sent).slice(-1);
    const again = resume(server, session, last);
    expect(await within(again.ended)).toBe("end");
    const all = [...sent.messages, ...again.messages];
    expect(all.map(({ id, params }) => id ?? (params as { progress: number }).progress)).toEqual([
      ...[1, 2, 3, 4, 5, 6, "s"],
    ]);
    expect(server.runs.get("slow")).toBe(1);
  });

  it("ends the connection that it had when the client comes back on another", async () => {
    const { server, session } = await opened();
    const sent = post(server.url, slow(300, 3), session);
    await until(() => sent.messages.length >= 1, "progress");
    const again = resume(server, session, idsOf(sent)[0] ?? "");
    expect(await within(sent.ended)).toBe("end");
    await within(again.ended);
    expect(again.messages.at(-1)).toMatchObject({ id: "s", result: {} });
  });

  it("that was cut for good ends again without the answer", async () => {
    const { server, session } = await opened();
    server.faults.on({ fault: "cut-stream", tool: "slow", times: 1 });
    const sent = post(server.url, slow(4, 2), session);
    await within(sent.ended);
    const again = resume(server, session, idsOf(sent).at(-1) ?? "");
    expect(await within(again.ended)).toBe("end");
    expect(again.messages).toEqual([]);
  });

  it.each(["", "s99-0", "s0", "__proto__-0", "s0-x"])(
    "an id that is not its own, %j, opens a stream to listen on",
    async (id) => {
      const { server, session } = await opened();
      const stream = resume(server, session, id);
      await within(stream.head);
      server.notify("notifications/x");
      await until(() => stream.messages.length === 1, "the notification");
    },
  );

  it("belongs to its session", async () => {
    const { server, session } = await opened();
    const sent = post(server.url, ping, session);
    await within(sent.ended);
    const other = await openSession(server.url);
    const stream = resume(server, other, idsOf(sent)[0] ?? "");
    await within(stream.head);
    server.notify("notifications/x");
    await until(() => stream.messages.length > 0, "the notification");
    expect(stream.messages.some(({ id }) => id === "p")).toBe(false);
  });

  it("bears faults of its answer like any other", async () => {
    const { server, session } = await opened();
    server.faults.on({ fault: "duplicate", method: "ping" });
    server.faults.on({ fault: "crlf", method: "ping" });
    const sent = post(server.url, ping, session);
    await within(sent.ended);
    expect(sent.messages).toHaveLength(2);
    expect(new Set(idsOf(sent)).size).toBe(3);
    expect(sent.text).toMatch(/id: s\d+-2\r\nevent: message\r\ndata: /);
  });
});

it("a server that is not resumable gives no ids", async () => {
  const server = stopping(await startTestServer());
  const session = await openSession(server.url);
  const sent = post(server.url, ping, session);
  await within(sent.ended);
  expect(idsOf(sent)).toEqual([]);
});
