/** What a model wants next: tools called, or an answer given. */
export type Turn =
  | { readonly calls: readonly { readonly name: string; readonly arguments: string }[] }
  | { readonly answer: string };

export interface Message {
  readonly role: "user" | "tool";
  readonly text: string;
}

/** Stands in for a model: it mistypes its first call, and mends it once it has read the error. */
export function scriptedModel(messages: readonly Message[]): Turn {
  const last = messages.at(-1)?.text ?? "";
  const turns = messages.filter(({ role }) => role === "tool").length;
  if (turns === 0) return { calls: [{ name: "notes__search", arguments: '{"word":1}' }] };
  if (turns === 1) return { calls: [{ name: "notes__search", arguments: '{"word":"milk"}' }] };
  if (turns === 2) {
    return {
      calls: [
        { name: "notes__add", arguments: '{"text":"Buy oat milk"}' },
        { name: "notes__remove", arguments: '{"number":1}' },
      ],
    };
  }
  if (turns === 4) return { calls: [{ name: "notes__count", arguments: "" }] };
  return { answer: `I could not remove the old note, so now there are two: ${last}` };
}
