import { ToolRegistryError } from "./errors.ts";
import { kindOf, quoted } from "./message.ts";

export function requireNamespace(namespace: unknown): asserts namespace is string {
  if (typeof namespace === "string" && namespace !== "" && !namespace.includes("/")) return;
  const got = typeof namespace === "string" ? quoted(namespace) : kindOf(namespace);
  const message = `a namespace must be a string that is not empty and holds no "/", got ${got}`;
  throw new ToolRegistryError("invalid_namespace", message);
}

export function requireOwner(owner: unknown): void {
  if (typeof owner === "string" && owner !== "") return;
  const message = `owner must be a string that is not empty, got ${kindOf(owner)}`;
  throw new ToolRegistryError("invalid_spec", message, { field: "owner" });
}

export function taken(holder: { id: string; owner: string }, claimant: string): ToolRegistryError {
  const message = `${quoted(holder.id)} belongs to ${quoted(holder.owner)}; ${quoted(claimant)} cannot take it, so nothing of the namespace was replaced`;
  return new ToolRegistryError("id_taken", message, { owners: [holder.owner, claimant] });
}
