import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";

const asserted = [
  "date-time",
  "date",
  "time",
  "duration",
  "email",
  "uri",
  "uuid",
  "ipv4",
  "ipv6",
] as const;

/** A validator that shares no code with ours but Ajv. */
export function plainAjv(schema: { readonly $schema?: string }): (value: unknown) => boolean {
  const options = {
    strict: false,
    ownProperties: true,
    multipleOfPrecision: 10,
    logger: false,
  } as const;
  const ajv = schema.$schema?.includes("draft-07") ? new Ajv(options) : new Ajv2020(options);
  formats.default(ajv, [...asserted]);
  const { $schema: _, ...rest } = schema;
  const validate = ajv.compile(rest);
  return (value) => validate(value) === true;
}
