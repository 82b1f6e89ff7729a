/** What is wrong with one field of a server's entry. No value of the file or of a variable is in it. */
export interface FieldProblem {
  readonly field: string;
  readonly message: string;
  /** The variable that is not set. */
  readonly variable?: string;
}

export type Fields = Map<string, unknown>;

const OWN = [
  ...["command", "args", "env", "cwd", "inheritEnv", "killOnSignal", "url", "headers"],
  ...["connectTimeoutMs", "requestTimeoutMs", "idleTimeoutMs", "protocol"],
  ...["allowedHosts", "blockPrivateAddresses"],
];

/** Names of the url in the files of Windsurf and Gemini. */
export const URL_FIELDS: readonly string[] = ["url", "serverUrl", "httpUrl"];

const READ = new Set([...OWN, ...URL_FIELDS, "type", "transport"]);

/** Fields of Claude, Cline, Cursor, Gemini, Roo and VS Code that change nothing for the server. */
const IGNORED = new Map([
  ...["name", "description", "icon", "gallery", "version", "dev", "note", "$schema"].map(
    (field) => [field, "is of no use here"] as const,
  ),
  ...["autoApprove", "alwaysAllow", "alwaysLoad", "trust"].map(
    (field) => [field, "is not taken from a file: decide it in the program"] as const,
  ),
  ["timeout", "is seconds in some programs, milliseconds in others: use requestTimeoutMs"],
  ["watchPaths", "is not supported: nothing is started again because a file changed"],
] as const);

/** Fields that change what a server is or may do: without them it would not be the one described. */
const REFUSED = new Map([
  ["envFile", "is not read: put its variables into env"],
  ["headersHelper", "is not run: give headers as a function in the program"],
  ["auth", "is not supported: give headers here, or an authProvider in the program"],
  ["oauth", "is not supported: give an authProvider in the program"],
  ["sandbox", "is not supported"],
  ["sandboxEnabled", "is not supported"],
  ...["disabledTools", "excludeTools", "enabledTools", "includeTools", "tools"].map(
    (field) => [field, "is not read: give the adapter a filter in the program"] as const,
  ),
] as const);

/** Takes `disabled` and `enabled` out of the fields. */
export function takeSwitch(fields: Fields, problems: FieldProblem[]): "on" | "off" {
  const disabled = takeFlag("disabled", fields, problems);
  const enabled = takeFlag("enabled", fields, problems);
  return disabled === true || enabled === false ? "off" : "on";
}

/** Leaves what is read here, and says of each other field why it is not. */
export function sortOut(fields: Fields, problems: FieldProblem[]): FieldProblem[] {
  const ignored: FieldProblem[] = [];
  for (const [field, value] of [...fields]) {
    if (READ.has(field)) continue;
    fields.delete(field);
    const reason = new Map<string, string>(IGNORED).get(field);
    const refusal = new Map<string, string>(REFUSED).get(field);
    if (reason !== undefined) ignored.push({ field, message: reason });
    else if (refusal === undefined) {
      problems.push({ field: short(field), message: `is unknown; known are ${OWN.join(", ")}` });
    } else if (!saysNothing(value)) problems.push({ field, message: refusal });
  }
  return ignored;
}

export function short(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function takeFlag(field: string, fields: Fields, problems: FieldProblem[]): boolean | undefined {
  const value = fields.get(field);
  fields.delete(field);
  if (value === undefined || typeof value === "boolean") return value;
  problems.push({ field, message: "must be true or false" });
  return undefined;
}

/** `false`, something empty, or all tools. */
function saysNothing(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((item) => item === "*");
  if (typeof value === "object" && value !== null) return Object.keys(value).length === 0;
  return value === false || value === "";
}
