// The wire formats of two model APIs, as far as a model that calls tools needs them.

/**
 * @typedef {{ name: string, description?: string | undefined, schema: unknown }} OfferedTool
 * @typedef {{ id: string, name: string, arguments: Record<string, unknown> }} Call
 * @typedef {{ calls: Call[] } | { text: string }} Turn
 * @typedef {{ type: "text", text: string } | { type: "image", mediaType: string, data: string } | { type: "other", block: unknown }} Part
 * @typedef {{ id: string, parts: Part[], isError?: boolean }} Output what came back of a call
 * @typedef {{ [field: string]: unknown }} Json
 * @typedef {Json & { type: string, text: string, image_url?: unknown, source: { media_type: string, data: string } }} Block
 * @typedef {Json & { name: string, description?: string, strict?: boolean, parameters?: Json, input_schema?: Json }} Tool
 * @typedef {Json & { type: string, call_id: string, output: unknown }} InputItem
 * @typedef {Json & { type: string, tool_use_id: string, is_error?: boolean, content?: unknown }} ResultBlock
 * @typedef {Json & { model: string, stream?: boolean, tools?: Tool[], input?: string | InputItem[], messages?: { content: string | ResultBlock[] }[] }} Body what the SDKs send, as far as it is read here
 * @typedef {Json & { content: (Json & { type: string })[], stop_reason: string }} Message
 * @typedef {object} Wire
 * @property {string} path
 * @property {(body: Body) => OfferedTool[]} tools
 * @property {(body: Body) => Output[]} outputs of the last turn
 * @property {(body: Body) => string | undefined} refuse why the provider would answer 400
 * @property {(turn: Turn, body: Body, id: string) => Json} reply
 * @property {(reply: Json) => object[]} [events] that reply as a stream
 */

const legalName = /^[a-zA-Z0-9_-]{1,64}$/;
const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];
const usage = { input_tokens: 1, output_tokens: 1 };

/** @param {OfferedTool} tool @param {readonly string[]} forbidden */
function toolFault({ name, schema }, forbidden) {
  if (!legalName.test(name)) return `Invalid tool name '${name}'`;
  const root = /** @type {Record<string, unknown>} */ (schema ?? {});
  if (root.type !== "object") return `Invalid schema for function '${name}': type is no object`;
  const word = forbidden.find((each) => each in root);
  return word === undefined ? undefined : `Invalid schema for function '${name}': root ${word}`;
}

/** @param {OfferedTool[]} tools @param {readonly string[]} forbidden */
function toolsFault(tools, forbidden) {
  const names = tools.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) return `Tool names must be unique: '${twice}'`;
  return tools.map((tool) => toolFault(tool, forbidden)).find((fault) => fault !== undefined);
}

/** @param {Output[]} outputs */
function outputsFault(outputs) {
  for (const part of outputs.flatMap(({ parts }) => parts)) {
    if (part.type === "other") return `Invalid content: ${JSON.stringify(part.block).slice(0, 80)}`;
    if (part.type === "image" && !imageTypes.includes(part.mediaType)) {
      return `Invalid image type ${part.mediaType}`;
    }
  }
  return undefined;
}

/** @param {unknown} url @returns {Part} */
function dataUrl(url) {
  const [, mediaType = "", data = ""] = /^data:([^;]*);base64,(.+)$/s.exec(String(url)) ?? [];
  return { type: "image", mediaType, data };
}

/** @param {unknown} content @param {(block: Block) => Part} read @returns {Part[]} */
function partsOf(content, read) {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(read) : [{ type: "other", block: content }];
}

/** @param {unknown} value @returns {value is Json} */
function isObject(value) {
  return typeof value === "object" && value !== null;
}

const noRoot = ["oneOf", "anyOf", "allOf", "enum", "not"];

/** @param {unknown} schema @returns {boolean} */
function hasArrayWithoutItems(schema) {
  if (!isObject(schema)) return false;
  if (schema.type === "array" && schema.items === undefined) return true;
  return Object.values(schema).some(hasArrayWithoutItems);
}

/** @type {Wire} */
const openAIResponses = {
  path: "/v1/responses",
  tools: ({ tools = [] }) =>
    tools.map(({ name, description, parameters }) => ({
      name,
      description,
      schema: parameters,
    })),
  outputs: ({ input }) =>
    (Array.isArray(input) ? input : [])
      .filter(({ type }) => type === "function_call_output")
      .map(({ call_id: id, output }) => ({
        id,
        parts: partsOf(output, (block) => {
          if (block.type === "input_text") return { type: "text", text: block.text };
          return block.type === "input_image" ? dataUrl(block.image_url) : { type: "other", block };
        }),
      })),
  refuse(body) {
    for (const { strict, name, parameters = {} } of body.tools ?? []) {
      const properties = Object.keys(parameters.properties ?? {}).length;
      if (strict === true && properties !== Object.keys(parameters.required ?? []).length) {
        return `Invalid schema for function '${name}': 'required' must hold every property`;
      }
    }
    const tools = openAIResponses.tools(body);
    const vague = tools.find(({ schema }) => hasArrayWithoutItems(schema));
    if (vague !== undefined) return `function '${vague.name}': array schema missing items`;
    const bare = tools.find(({ schema }) => !isObject(schema) || !schema.properties);
    if (bare !== undefined) return `function '${bare.name}': object schema missing properties`;
    return toolsFault(tools, noRoot) ?? outputsFault(openAIResponses.outputs(body));
  },
  reply: (turn, { model }, id) => ({
    id: `resp_${id}`,
    object: "response",
    created_at: 0,
    status: "completed",
    model,
    error: null,
    incomplete_details: null,
    instructions: null,
    metadata: {},
    parallel_tool_calls: true,
    temperature: 1,
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    usage: {
      ...usage,
      total_tokens: 2,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 0 },
    },
    output:
      "text" in turn
        ? [
            {
              type: "message",
              id: `msg_${id}`,
              role: "assistant",
              status: "completed",
              content: [{ type: "output_text", text: turn.text, annotations: [] }],
            },
          ]
        : turn.calls.map((call) => ({
            type: "function_call",
            id: `fc_${call.id}`,
            call_id: call.id,
            name: call.name,
            arguments: JSON.stringify(call.arguments),
            status: "completed",
          })),
  }),
};

/** @type {Wire} */
const anthropic = {
  path: "/v1/messages",
  tools: ({ tools = [] }) =>
    tools.map(({ name, description, input_schema: schema }) => ({
      name,
      description,
      schema,
    })),
  outputs({ messages = [] }) {
    const { content } = messages.at(-1) ?? {};
    const blocks = Array.isArray(content) ? content : [];
    return blocks
      .filter(({ type }) => type === "tool_result")
      .map((block) => ({
        id: block.tool_use_id,
        isError: block.is_error === true,
        parts: partsOf(block.content ?? "", (part) => {
          if (part.type === "text") return { ...part, type: "text" };
          if (part.type !== "image") return { type: "other", block: part };
          return { type: "image", mediaType: part.source.media_type, data: part.source.data };
        }),
      }));
  },
  refuse: (body) =>
    toolsFault(anthropic.tools(body), ["oneOf", "anyOf", "allOf"]) ??
    outputsFault(anthropic.outputs(body)),
  reply: (turn, { model }, id) => ({
    id: `msg_${id}`,
    type: "message",
    role: "assistant",
    model,
    stop_reason: "text" in turn ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage,
    content:
      "text" in turn
        ? [{ type: "text", text: turn.text, citations: null }]
        : turn.calls.map((call) => ({
            type: "tool_use",
            id: call.id,
            name: call.name,
            input: call.arguments,
          })),
  }),
  events(reply) {
    const message = /** @type {Message} */ (reply);
    return [
      {
        type: "message_start",
        message: { ...message, content: [], stop_reason: null },
      },
      ...message.content.flatMap((block, index) => [
        {
          type: "content_block_start",
          index,
          content_block: block.type === "text" ? { ...block, text: "" } : { ...block, input: {} },
        },
        {
          type: "content_block_delta",
          index,
          delta:
            block.type === "text"
              ? { type: "text_delta", text: block.text }
              : { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
        },
        { type: "content_block_stop", index },
      ]),
      {
        type: "message_delta",
        delta: { stop_reason: message.stop_reason, stop_sequence: null },
        usage: { output_tokens: 1 },
      },
      { type: "message_stop" },
    ];
  },
};

/** @type {readonly Wire[]} */
export const wires = [openAIResponses, anthropic];
