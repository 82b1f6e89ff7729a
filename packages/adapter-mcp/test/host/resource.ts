import { context, lineage } from "./context.ts";
import type { ResourceConfig } from "./contract.ts";
import { HostError } from "./errors.ts";

export async function equipResource<T>(key: string, config: ResourceConfig<T>): Promise<T> {
  const { resources, providers } = context();
  const expose = config.expose ?? false;
  const held = resources.get(key);
  if (held && held.expose !== expose) throw new Error(`Resource "${key}": expose must not change.`);
  if (expose && !held && providers.has(key)) {
    throw new Error(`Resource "${key}" clashes with a provider.`);
  }
  if (held && sameDeps(held.deps, config.deps)) return held.value as T;
  if (held) {
    resources.delete(key);
    providers.delete(key);
    await held.destroy();
  }
  const value = await config.create();
  let destroyed = false;
  resources.set(key, {
    value,
    deps: config.deps,
    expose,
    async destroy() {
      if (destroyed) return;
      destroyed = true;
      await config.destroy?.(value);
    },
  });
  if (expose) providers.set(key, value);
  return value;
}

function sameDeps(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((item, index) => Object.is(item, other[index]));
}

export function expectResource<T>(key: string, options?: { optional: true }): T | undefined {
  for (const { providers } of lineage(context())) {
    if (providers.has(key)) return providers.get(key) as T;
  }
  if (options?.optional) return;
  throw new HostError("ResourceNotFoundError", `Resource "${key}" was not found.`, { key });
}
