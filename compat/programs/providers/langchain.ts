import type { JsonSchema } from "@x/tool-registry";
import { type ObjectSchema, objectSchema } from "./object-schema.ts";

/**
 * The schema of a LangChain tool, as a Standard JSON Schema. LangChain judges arguments by a plain
 * JSON Schema itself, and then the model reads a stack; this one it only shows to the model.
 */
export function langChainSchema(schema: JsonSchema): JsonSchema {
  const input = (): ObjectSchema => objectSchema(schema);
  const validate = (value: unknown): { value: unknown } => ({ value });
  const jsonSchema = { input, output: input };
  return { "~standard": { version: 1, vendor: "@x/tool-registry", validate, jsonSchema } };
}
