// The suite imports `globSync` from `fs`, which Node 20 does not have, for a command that is not run here.
import { register } from "node:module";

const shim = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => [];`;
const hooks = `export async function resolve(specifier, context, next) {
  if ((specifier === "fs" || specifier === "node:fs") && context.parentURL?.includes("/@modelcontextprotocol/conformance"))
    return { url: ${JSON.stringify(`data:text/javascript,${encodeURIComponent(shim)}`)}, shortCircuit: true };
  return next(specifier, context);
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
