import { modelNames } from "@x/tool-registry";
import { AdapterMCPError } from "./errors.ts";

/**
 * The names under which tools are registered, by their own: `{namespace}_{name}`, or a readable part
 * of it and a hash where model APIs would not take that. Each depends on itself alone.
 *
 * @throws AdapterMCPError `duplicate_name`
 */
export function registeredNames(
  natives: readonly string[],
  namespace: string | undefined,
): ReadonlyMap<string, string> {
  const wanted = new Map(natives.map((name) => [name, joined(namespace, name)]));
  const names = modelNames(wanted.values(), { kind: "plain" });
  const [clash] = names.clashes;
  if (clash !== undefined) {
    const message = `${clash.ids.join(" and ")} would both be registered as ${clash.name}`;
    throw new AdapterMCPError("duplicate_name", message);
  }
  return new Map([...wanted].map(([native, full]) => [native, names.toModel(full)]));
}

/** A name for a tool of this package that none of the server's has. */
export function ownName(
  name: string,
  namespace: string | undefined,
  taken: ReadonlySet<string>,
): string {
  const first = joined(namespace === "" ? "mcp" : (namespace ?? "mcp"), name);
  for (let count = 1; ; count += 1) {
    const full = count === 1 ? first : `${first}_${count}`;
    const fit = modelNames([full], { kind: "plain" }).toModel(full);
    if (!taken.has(fit)) return fit;
  }
}

function joined(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === "" ? name : `${namespace}_${name}`;
}
