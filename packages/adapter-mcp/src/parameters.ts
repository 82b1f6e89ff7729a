import { type CompiledSchema, type CompileOptions, compileSchema } from "@x/tool-schema";
import { toZod } from "@x/tool-schema/zod";
import { toZod3 } from "@x/tool-schema/zod3";
import { unknown, type ZodTypeAny } from "zod";
import { faultOf } from "./arguments.ts";

/**
 * A schema as the Zod object that an agent framework wants: it takes what the schema takes and
 * hands the arguments on untouched; zod-to-json-schema makes the schema of it again.
 *
 * @throws ToolSchemaError
 */
export function parametersOf(schema: unknown): ZodTypeAny {
  const options = {
    compileSchema: (part: unknown, limits: CompileOptions) =>
      part === schema ? compileArguments(part, limits) : compileSchema(part, limits),
  };
  if (isZod4(unknown())) return toZod(schema, options);
  const parameters: unknown = toZod3(schema, options);
  // The Zod at the root is Zod 3, so that its types are those of `zod/v3`.
  return parameters as ZodTypeAny;
}

function isZod4(schema: object): boolean {
  return "_zod" in schema;
}

/** MCP arguments are an object of bounded size, also where the schema takes anything. */
export function compileArguments(
  schema: unknown,
  options: CompileOptions = {},
): Pick<CompiledSchema, "validate"> {
  const { validate } = compileSchema(schema, options);
  return {
    validate(value) {
      const message = faultOf(value);
      if (message === undefined) return validate(value);
      return { ok: false, issues: [{ pointer: "", path: [], keyword: "type", message }] };
    },
  };
}
