import { readdirSync } from "node:fs";
import { ownLines } from "./lines.mjs";

/**
 * @typedef {object} Program
 * @property {string} label
 * @property {string} file from `compat/programs`
 * @property {"model" | "alone" | "test"} kind `model`: it talks to the scripted model
 */

const here = new URL("../", import.meta.url);

/** Ours that talk to a model. */
export const ours = ["ai-sdk.ts", "langchain.ts", "openai.ts", "anthropic.ts"];

/** @type {Record<string, string>} */
const packages = {
  "ai-sdk-mcp": "@ai-sdk/mcp",
  "anthropic-sdk": "@anthropic-ai/sdk",
  "langchain-core": "@langchain/core",
  "langchain-mcp-adapters": "@langchain/mcp-adapters",
  mcporter: "mcporter",
  "openai-agents": "@openai/agents",
};

/** @type {readonly { number: number, title: string, files: string[] }[]} */
const rows = [
  { number: 1, title: "quickstart over stdio", files: ["quickstart"] },
  { number: 2, title: "a remote server, its bearer header refreshed", files: ["refreshed-bearer"] },
  { number: 3, title: "three servers into one registry", files: ["three-servers"] },
  { number: 4, title: "Vercel AI SDK `generateText`", files: ["ai-sdk.ts"] },
  { number: 5, title: "a LangChain agent", files: ["langchain.ts"] },
  {
    number: 6,
    title: "a raw OpenAI loop, a raw Anthropic loop",
    files: ["openai.ts", "anthropic.ts"],
  },
  { number: 7, title: "a Rejelly-style agent on `adapter.client`", files: ["recovering-agent"] },
  { number: 8, title: "approval before writes", files: ["approval"] },
  { number: 9, title: "a unit test with a mock server", files: ["unit-test"] },
  { number: 10, title: "only a registry, with tools of one's own", files: ["embed-registry"] },
];

const peerFiles = readdirSync(new URL("peers", here)).sort();

/** @type {Program[]} */
export const peers = peerFiles.map((name) => {
  const number = Number.parseInt(name, 10);
  const kind = number >= 4 && number <= 6 ? "model" : number === 9 ? "test" : "alone";
  return { label: labelOf(name), file: `peers/${name}`, kind };
});

/** @param {string} name */
function labelOf(name) {
  const [, peer = name] = /^\d+-(.+)\.ts$/.exec(name) ?? [];
  return packages[peer] ?? peer;
}

/** @param {string} name */
function oursAt(name) {
  return new URL(name.endsWith(".ts") ? name : `../../examples/${name}/main.ts`, here);
}

/** Every program of ours, those in `examples` too, with its number of lines. */
export function ownPrograms() {
  return rows.flatMap(({ files }) =>
    files.map((name) => ({ name, count: ownLines(oursAt(name)) })),
  );
}

/** The table of lines, in Markdown. */
export function table() {
  const lines = rows.map(({ number, title, files }) => {
    const own = files.map((name) => ownLines(oursAt(name)));
    const rivals = peers
      .filter(({ file }) => Number.parseInt(file.slice("peers/".length), 10) === number)
      .map(({ label, file }) => ({ label, count: ownLines(new URL(file, here)) }))
      .sort((a, b) => a.count - b.count)
      .map(({ label, count }) => `${count} ${label}`);
    return `| ${number} | ${title} | ${own.join(", ")} | ${rivals.join(", ") || "none"} |`;
  });
  return [
    "| | program | lines, ours | lines, with a peer |",
    "| --- | --- | --- | --- |",
    ...lines,
  ];
}
