/** As much of JSON Schema as the tests read by themselves. */
export interface JsonSchemaObject {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchemaObject | boolean>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: unknown;
  readonly items?: JsonSchemaObject | boolean;
  readonly anyOf?: readonly (JsonSchemaObject | boolean)[];
  readonly oneOf?: readonly (JsonSchemaObject | boolean)[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
}
