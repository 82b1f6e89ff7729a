import { isObject, type JsonObject } from "../json-rpc.ts";
import { TestkitError } from "../testkit-error.ts";
import type { Stage, Transport } from "./entry.ts";
import { type FaultName, type FaultParameters, faultEntry, isFaultName } from "./table.ts";

/** Which messages a fault hits, and how often; every field narrows. */
export interface FaultSelection {
  /** Only these JSON-RPC methods; may name a notification. */
  readonly method?: string | readonly string[];
  /** Only calls of these tools. */
  readonly tool?: string | readonly string[];
  /** Over HTTP. @defaultValue `"POST"`; any verb for faults that concern every request */
  readonly verb?: "GET" | "POST" | "DELETE";
  /** Only at this stage. @defaultValue the first that the fault's row names */
  readonly when?: Stage;
  /** Switches itself off after so many hits. @defaultValue no limit */
  readonly times?: number;
  /** Lets the first so many pass. @defaultValue 0 */
  readonly skip?: number;
  /** Chance of a hit, 0 to 1; the same seed gives the same row of hits. @defaultValue 1 */
  readonly probability?: number;
  /** @defaultValue 1 */
  readonly seed?: number;
}

/** One fault as a test writes it: plain JSON, such as `{ fault: "crash", tool: "effect", when: "after", times: 1 }`. */
export type Fault = {
  readonly [Name in FaultName]: { readonly fault: Name } & FaultSelection & FaultParameters[Name];
}[FaultName];

interface Chosen {
  /** Tells this switching-on from every other, also of the same fault. */
  readonly key: string;
  readonly when: Stage;
}

type Resolved<Name extends FaultName> = { readonly fault: Name } & FaultSelection &
  Required<FaultParameters[Name]> &
  Chosen;

/** A fault with its defaults filled in. */
export type ActiveFault = { readonly [Name in FaultName]: Resolved<Name> }[FaultName];

export type ActiveFaultOf<Name extends FaultName> = Extract<ActiveFault, { fault: Name }>;

export function isFault<Name extends FaultName>(
  fault: ActiveFault,
  name: Name,
): fault is ActiveFaultOf<Name> {
  return fault.fault === name;
}

const selectors = new Map<string, (value: unknown) => boolean>([
  ["method", isNames],
  ["tool", isNames],
  ["verb", (value) => value === "GET" || value === "POST" || value === "DELETE"],
  ["when", (value) => typeof value === "string"],
  ["times", isCount],
  ["skip", isCount],
  ["probability", (value) => typeof value === "number" && value >= 0 && value <= 1],
  ["seed", (value) => Number.isSafeInteger(value)],
]);

/**
 * Checks a fault and fills in its defaults.
 * @throws TestkitError `fault`
 */
export function readFault(
  value: unknown,
  key: string,
  transports: readonly Transport[],
): ActiveFault {
  if (!isObject(value)) throw problem("a fault is an object with a `fault` name");
  const { fault: name } = value;
  if (typeof name !== "string" || !isFaultName(name)) {
    throw problem(`there is no fault ${JSON.stringify(name)}`);
  }
  const entry = faultEntry(name);
  if (!entry.on.some((transport) => transports.includes(transport))) {
    throw problem(`${name} works on ${entry.on.join(", ")}; this server is ${transports.join()}`);
  }
  const { when = entry.when[0] } = value;
  const stage = entry.when.find((possible) => possible === when);
  if (stage === undefined) throw problem(`${name}: \`when\` is ${entry.when.join(" or ")}`);
  checkFields(name, value, entry.parameters);
  const defaults = Object.entries(entry.parameters).map(([field, parameter]) => [
    field,
    parameter.default,
  ]);
  const resolved: unknown = { ...Object.fromEntries(defaults), ...value, when: stage, key };
  return resolved as ActiveFault;
}

function checkFields(
  name: string,
  value: JsonObject,
  parameters: Readonly<Record<string, { readonly default: unknown; readonly any?: true }>>,
): void {
  for (const [field, given] of Object.entries(value)) {
    if (field === "fault") continue;
    const selector = selectors.get(field);
    const parameter = Object.hasOwn(parameters, field) ? parameters[field] : undefined;
    if (selector === undefined && parameter === undefined) {
      throw problem(`${name} has no field ${JSON.stringify(field)}`);
    }
    const fits = selector?.(given) ?? (parameter !== undefined && fitsParameter(parameter, given));
    if (!fits) throw problem(`${name}: ${field} cannot be ${JSON.stringify(given)}`);
  }
}

function fitsParameter(
  parameter: { readonly default: unknown; readonly any?: true },
  given: unknown,
): boolean {
  if (Array.isArray(parameter.default)) return Array.isArray(given);
  if (parameter.any) return given !== undefined;
  return typeof given === typeof parameter.default && !Number.isNaN(given);
}

function isNames(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((name) => typeof name === "string");
  return typeof value === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function problem(message: string): TestkitError {
  return new TestkitError("fault", message);
}
