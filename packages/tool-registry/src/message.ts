const MAX_QUOTED = 100;

/** Text of a foreign party inside a message of ours: quoted, on one line, bounded. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);
}

/** What a value is, without showing it. */
export function kindOf(value: unknown): string {
  if (value === null) return "null";
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return "an array";
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}

/** The message of whatever was thrown; `""` if it has none or throws itself. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error) return String(thrown.message);
    if (typeof thrown === "object" && thrown !== null) {
      return "message" in thrown && typeof thrown.message === "string" ? thrown.message : "";
    }
    return thrown === undefined || thrown === null ? "" : String(thrown);
  } catch {
    return "";
  }
}
