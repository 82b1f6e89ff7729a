import { once } from "node:events";
import { createServer } from "node:http";
import { wires } from "./wires.mjs";

/**
 * @typedef {import("./wires.mjs").OfferedTool} OfferedTool
 * @typedef {import("./wires.mjs").Output} Output
 */

/** What the model asks for, turn by turn: the bare name of a tool, and arguments. */
const script = [
  [["get-sum", { a: 19, b: 23 }]],
  [
    ["get-tiny-image", {}],
    ["get-structured-content", { location: "Chicago" }],
  ],
  [["get-sum", { a: "19", b: 23 }]],
];

export const answer = "It is 42; the logo is above; Chicago has weather.";

/**
 * A model on loopback that speaks the formats of OpenAI and Anthropic, and refuses with a 400 what
 * they are known to refuse. It calls tools by a script, then gives its answer.
 */
export async function startModel() {
  /** @type {OfferedTool[]} */
  let offered = [];
  /** @type {Map<string, Output>} by the name of the call: `1.get-sum` */
  const outputs = new Map();
  /** @type {string[]} */
  const refusals = [];
  let turns = 0;

  /** @param {string} bare */
  const named = (bare) =>
    offered.find(({ name }) => plain(`_${name}`).endsWith(plain(`_${bare}`)))?.name ?? bare;

  /** @param {import("./wires.mjs").Wire} wire @param {import("./wires.mjs").Body} body */
  function refusal(wire, body) {
    const fault = wire.refuse(body);
    if (fault !== undefined) return fault;
    const answered = wire.outputs(body);
    const missing = (script[turns - 1] ?? []).find(
      ([name]) => !answered.some(({ id }) => id === `${turns}.${name}`),
    );
    return missing && `No tool output found for function call ${turns}.${missing[0]}`;
  }

  function nextTurn() {
    const planned = script[turns];
    turns += 1;
    if (planned === undefined) return { text: answer };
    return {
      calls: planned.map(([name, args]) => ({
        id: `${turns}.${name}`,
        name: named(/** @type {string} */ (name)),
        arguments: /** @type {Record<string, unknown>} */ (args),
      })),
    };
  }

  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const path = new URL(request.url ?? "", "http://model").pathname;
    const wire = wires.find((each) => each.path === path);
    if (wire === undefined) return send(response, 404, { error: { message: `no ${path} here` } });
    const body = JSON.parse(text);
    const message = refusal(wire, body);
    if (message !== undefined) {
      refusals.push(message);
      const error = { type: "invalid_request_error", message };
      return send(response, 400, { type: "error", error });
    }
    if (turns === 0) offered = wire.tools(body);
    for (const output of wire.outputs(body)) outputs.set(output.id, output);
    const reply = wire.reply(nextTurn(), body, String(turns));
    if (body.stream === true) stream(response, wire.events?.(reply) ?? []);
    else send(response, 200, reply);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  const url = `http://127.0.0.1:${port}`;
  return {
    /** Where the SDKs of the providers look for a model, and for a key. */
    env: {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: "test",
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "test",
    },
    /** What was offered first, what came back of each call, why a request was refused. */
    seen: () => ({ offered, outputs, refusals, turns }),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** Some clients rewrite names. @param {string} name */
function plain(name) {
  return name.replaceAll("-", "_");
}

/** @param {import("node:http").ServerResponse} response @param {number} status @param {object} json */
function send(response, status, json) {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(json));
}

/** @param {import("node:http").ServerResponse} response @param {readonly object[]} events */
function stream(response, events) {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events) {
    response.write(`event: ${"type" in event && event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  }
  response.end();
}
