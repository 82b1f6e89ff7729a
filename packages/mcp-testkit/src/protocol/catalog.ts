import type { JsonObject } from "../json-rpc.ts";

export const resources: readonly JsonObject[] = [
  { uri: "test://text", name: "text", mimeType: "text/plain" },
  { uri: "test://binary", name: "binary", mimeType: "application/octet-stream" },
  { uri: "test://both", name: "both", description: "A text and a binary part" },
];

export const resourceTemplates: readonly JsonObject[] = [
  { uriTemplate: "test://item/{id}", name: "item", mimeType: "text/plain" },
];

/** @returns the parts of a resource, or undefined if there is none */
export function resourceContents(uri: string): readonly JsonObject[] | undefined {
  const text = { uri, mimeType: "text/plain", text: "grüße" };
  const binary = { uri, mimeType: "application/octet-stream", blob: "AAEC/w==" };
  if (uri === "test://text") return [text];
  if (uri === "test://binary") return [binary];
  if (uri === "test://both") return [text, binary];
  const [, id] = /^test:\/\/item\/([^/?#]+)$/.exec(uri) ?? [];
  const item = id === undefined ? undefined : decoded(id);
  return item === undefined ? undefined : [{ ...text, text: `item ${item}` }];
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

export const prompts: readonly JsonObject[] = [
  { name: "plain", description: "One message, no arguments" },
  {
    name: "greet",
    description: "Greets somebody",
    arguments: [{ name: "name", description: "whom", required: true }],
  },
  { name: "mixed", description: "Two roles; a text, a picture and an embedded resource" },
];

/** @returns the messages of a prompt; undefined if there is none; a text if an argument is missing */
export function promptMessages(
  name: string,
  args: JsonObject,
): readonly JsonObject[] | string | undefined {
  if (name === "plain") return [message("user", "Say something.")];
  if (name === "greet") {
    const { name: whom } = args;
    return typeof whom === "string" ? [message("user", `Greet ${whom}.`)] : "name is required";
  }
  if (name !== "mixed") return undefined;
  const resource = { uri: "test://text", mimeType: "text/plain", text: "grüße" };
  return [
    message("user", "Look at this."),
    { role: "user", content: { type: "image", data: "AAEC/w==", mimeType: "image/png" } },
    { role: "assistant", content: { type: "resource", resource } },
  ];
}

function message(role: "user" | "assistant", text: string): JsonObject {
  return { role, content: { type: "text", text } };
}
