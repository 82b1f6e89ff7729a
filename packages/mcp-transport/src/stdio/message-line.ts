/** What a line of stdout holds. */
export type Line =
  | { readonly kind: "message"; readonly message: unknown }
  | { readonly kind: "blank" }
  | { readonly kind: "garbage"; readonly text: string };

export function readLine(line: string): Line {
  const text = line.replace(/^\uFEFF/, "").trim();
  if (text === "") return { kind: "blank" };
  const message = parse(text) ?? gluedAnswer(text);
  return message === undefined ? { kind: "garbage", text } : { kind: "message", message };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * An answer with text before or after it on the same line, as of a banner without a line break.
 * Only an answer: a request in a log line is no request.
 */
function gluedAnswer(text: string): unknown {
  const begin = text.search(/\{\s*"/);
  if (begin < 0) return undefined;
  const message = parse(text.slice(begin, text.lastIndexOf("}") + 1));
  if (typeof message !== "object" || message === null) return undefined;
  const answers = "jsonrpc" in message && "id" in message && !("method" in message);
  return answers ? message : undefined;
}

const idFirst = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*"?(\d{1,15})"?\s*,/;
const idLast = /,\s*"id"\s*:\s*"?(\d{1,15})"?\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** The id of an answer of which only the begin or the end is known. */
export function idAtEdge(begin: string, end = ""): number | undefined {
  const id = (idFirst.exec(begin) ?? idLast.exec(end))?.[1];
  return id === undefined ? undefined : Number(id);
}
