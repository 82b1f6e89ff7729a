import type { MCPClientLike } from "../src/index.ts";

type Answer = (...args: unknown[]) => unknown;

/** Calls by the name of the method, in order, each with the arguments that came. */
export type Log = [method: string, ...args: unknown[]][];

/** A method of so many parameters that notes how it is called. */
function noting(
  log: Log,
  name: string,
  arity: number,
  answer: Answer,
): (...args: unknown[]) => Promise<unknown> {
  const method = async (...args: unknown[]) => {
    log.push([name, ...args]);
    return answer(...args);
  };
  return Object.defineProperty(method, "length", { value: arity });
}

/** A client whose methods answer from a table; each notes how it is called. */
export function fakeClient(
  answers: Readonly<Record<string, Answer>>,
  arities: Readonly<Record<string, number>> = {},
): { readonly client: MCPClientLike; readonly log: Log } {
  const log: Log = [];
  const listTools = noting(log, "listTools", 1, answers["listTools"] ?? (() => ({ tools: [] })));
  const callTool = noting(
    log,
    "callTool",
    arities["callTool"] ?? 1,
    answers["callTool"] ?? (() => ({ content: [{ type: "text", text: "done" }] })),
  );
  const client = { listTools, callTool };
  for (const [name, answer] of Object.entries(answers)) {
    if (name in client) continue;
    const isPlain = /^(get(Server|Negotiated|Protocol)|experimental)/.test(name);
    Object.assign(client, {
      [name]: isPlain ? answer : noting(log, name, arities[name] ?? 1, answer),
    });
  }
  return { client, log };
}

/** Hides how many parameters the methods have, as instrumentation does. */
export function instrumented<T extends object>(target: T): T {
  return new Proxy(target, {
    get(object, key) {
      const found: unknown = Reflect.get(object, key);
      if (typeof found !== "function") return found;
      return (...args: unknown[]) => Reflect.apply(found, object, args);
    },
  });
}

export function text(...texts: string[]): { content: { type: string; text: string }[] } {
  return { content: texts.map((each) => ({ type: "text", text: each })) };
}
