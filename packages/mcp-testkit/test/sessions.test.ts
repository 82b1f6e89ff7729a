import { expect, it } from "vitest";
import { Session } from "../src/protocol/session.ts";
import { Sessions } from "../src/protocol/sessions.ts";

const session = (id: string) => new Session("http", id);
const running = (id: string) => {
  const made = session(id);
  const controller = new AbortController();
  const occasion = { transport: "http", kind: "request" } as const;
  made.running.set(1, { controller, occasion });
  return { session: made, controller };
};

it("only known sessions are found", () => {
  const sessions = new Sessions();
  const [a, b] = [session("a"), session("b")];
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
  const [old, young] = [session("same"), session("same")];
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
  const idle = session("idle");
  const listening = session("listening");
  let cuts = 0;
  listening.attach({ send: () => undefined, cut: () => (cuts += 1) });
  for (const one of [idle, listening]) sessions.forget(one);
  sessions.admit(session("next"));
  sessions.closeAll();
  expect([idle.signal.aborted, listening.signal.aborted, cuts]).toEqual([false, true, 1]);
});

it("a message goes to the newest listener, and to nobody if there is none", () => {
  const one = session("a");
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
