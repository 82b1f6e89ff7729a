/** What stands in place of `${…}`, or why nothing does. Values are in no message. */
type Expansion =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string; readonly variable?: string };

export type Variables = Readonly<Record<string, string | undefined>>;

const PLACEHOLDER = /\$\{([^{}]*)\}/g;
const VARIABLE = /^(?:env:)?([A-Za-z_]\w*)(?::-([\s\S]*))?$/;
/** What may be repeated in a message: it can hold no secret that is worth the name. */
const PLAIN = /^[\w.-]{1,40}(?::[\w.-]{1,40})?$/;

/**
 * Replaces `${VAR}`, `${env:VAR}` and `${VAR:-default}`, which also stands in for an empty variable.
 * What is put in is not expanded again.
 */
export function expand(text: string, variables: Variables): Expansion {
  const missing: Expansion[] = [];
  const expanded = text.replaceAll(PLACEHOLDER, (_whole, inner: string) => {
    const [, name, fallback] = VARIABLE.exec(inner) ?? [];
    if (name === undefined) {
      missing.push(noVariable(inner));
      return "";
    }
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (fallback !== undefined) return value || fallback;
    if (value === undefined) missing.push(notSet(name));
    return value ?? "";
  });
  if (text.replaceAll(PLACEHOLDER, " ").includes("${")) missing.push(noVariable(""));
  return missing[0] ?? { ok: true, text: expanded };
}

function notSet(variable: string): Expansion {
  const message = `the variable ${variable} is not set; set it, or write \${${variable}:-default}`;
  return { ok: false, message, variable };
}

function noVariable(inner: string): Expansion {
  const shown = PLAIN.test(inner) ? `\${${inner}}` : "what stands in braces";
  return {
    ok: false,
    message: `${shown} is no variable; \${NAME}, \${NAME:-default} and \${env:NAME} are expanded`,
  };
}
