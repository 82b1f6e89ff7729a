import type { JsonSchema } from "../tool.ts";
import { type ObjectSchema, objectSchema } from "./object-schema.ts";

/**
 * The `schema` of a LangChain tool: a Standard JSON Schema of the {@link objectSchema}, shown to the
 * model and never judged by LangChain. A plain JSON Schema LangChain judges itself: it writes into
 * it, which a registry's frozen schema answers with a `TypeError`, and of wrong arguments the model
 * then reads a stack. Here every value passes, and `call` of the model tools judges. Lost: what
 * `objectSchema` loses, and the types of the arguments.
 */
export function langChainSchema(schema: JsonSchema): JsonSchema {
  const input = (): ObjectSchema => objectSchema(schema);
  const validate = (value: unknown): { value: unknown } => ({ value });
  const jsonSchema = { input, output: input };
  return { "~standard": { version: 1, vendor: "@x/tool-registry", validate, jsonSchema } };
}
