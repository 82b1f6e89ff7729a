import { MCPParseError } from "./errors.ts";
import { quoted } from "./json.ts";

/** Missing variables are undefined; an empty list counts as missing. */
export type TemplateValues = Readonly<Record<string, string | readonly string[] | undefined>>;

interface Operator {
  readonly first: string;
  readonly separator: string;
  /** Set if values follow their name: what a name with an empty value ends with. */
  readonly emptyName?: string;
  /** Reserved characters stay as they are. */
  readonly reserved?: true;
  /** Without it the URI would name another resource. */
  readonly required?: true;
}

const operators: ReadonlyMap<string, Operator> = new Map([
  ["", { first: "", separator: ",", required: true }],
  ["+", { first: "", separator: ",", required: true, reserved: true }],
  ["#", { first: "#", separator: ",", reserved: true }],
  [".", { first: ".", separator: "." }],
  ["/", { first: "/", separator: "/" }],
  [";", { first: ";", separator: ";", emptyName: "" }],
  ["?", { first: "?", separator: "&", emptyName: "=" }],
  ["&", { first: "&", separator: "&", emptyName: "=" }],
]);

interface Variable {
  readonly name: string;
  readonly explode: boolean;
  readonly prefix?: number;
}

/**
 * The URI that a template (RFC 6570, with strings and lists as values) and values make. Each value
 * is encoded for its place: a slash in the value of `{name}` becomes `%2F`.
 *
 * @throws MCPParseError `invalid_template`, or `missing_variable` if an expression like `{name}` or
 * `{+name}` has no value at all; other kinds of expression are optional and vanish
 */
export function expandUriTemplate(template: string, values: TemplateValues): string {
  return template.replace(/\{([^{}]*)\}|[{}]|[^{}]+/g, (part, expression: string | undefined) => {
    if (expression !== undefined) return expand(expression, values);
    if (part === "{" || part === "}") throw invalid(template);
    return encodeReserved(part);
  });
}

function expand(expression: string, values: TemplateValues): string {
  const symbol = /^[+#./;?&]/.exec(expression)?.[0] ?? "";
  const operator = operators.get(symbol);
  if (operator === undefined) throw invalid(expression);
  const variables = expression.slice(symbol.length).split(",").map(readVariable);
  const parts = variables.flatMap((variable) => {
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    return value === undefined ? [] : expandVariable(variable, value, operator);
  });
  if (parts.length > 0) return operator.first + parts.join(operator.separator);
  if (operator.required === undefined) return "";
  const names = variables.map(({ name }) => name).join(", ");
  throw new MCPParseError("missing_variable", `the uri template needs a value for ${names}`);
}

function readVariable(specification: string): Variable {
  const [name = "", modifier] = specification.split(/(?=[*:])/);
  if (!/^(?:\w|%[0-9A-Fa-f]{2})(?:\.?(?:\w|%[0-9A-Fa-f]{2}))*$/.test(name)) {
    throw invalid(specification);
  }
  if (specification === name) return { name, explode: false };
  if (specification === `${name}*`) return { name, explode: true };
  if (!/^:[1-9]\d{0,3}$/.test(specification.slice(name.length))) throw invalid(specification);
  return { name, explode: false, prefix: Number(modifier?.slice(1)) };
}

function expandVariable(
  { name, explode, prefix }: Variable,
  value: string | readonly string[],
  { emptyName, reserved }: Operator,
): string[] {
  const encode = reserved === true ? encodeReserved : encodeAll;
  const texts =
    typeof value === "string"
      ? [encode([...value].slice(0, prefix).join(""))]
      : Array.from(value, (item) => encode(item));
  const parts = explode || texts.length === 0 ? texts : [texts.join(",")];
  if (emptyName === undefined) return parts;
  return parts.map((part) => (part === "" ? name + emptyName : `${name}=${part}`));
}

function encodeAll(text: string): string {
  return encode(text, /[^A-Za-z0-9\-._~]/gu);
}

function encodeReserved(text: string): string {
  return encode(text, /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/gu);
}

function encode(text: string, characters: RegExp): string {
  return text.replace(/\p{Surrogate}/gu, "\uFFFD").replace(characters, (character) => {
    const bytes = new TextEncoder().encode(character);
    return Array.from(bytes, (byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join(
      "",
    );
  });
}

function invalid(part: string): MCPParseError {
  return new MCPParseError("invalid_template", `${quoted(part)} is no uri template of RFC 6570`);
}
