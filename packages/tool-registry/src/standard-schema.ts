/**
 * The part of Standard Schema and Standard JSON Schema that `defineTool` reads
 * (https://standardschema.dev). Zod 4.2 and later, among others, implements both.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly jsonSchema: {
      /** May throw if the target, or a part of the schema, is not supported. */
      readonly input: (options: { readonly target: string }) => Record<string, unknown>;
    };
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema takes: the arguments as a model gives them. */
export type InputOf<Schema extends StandardSchema> = NonNullable<
  Schema["~standard"]["types"]
>["input"];

/** What a schema makes of it: the arguments as a tool gets them. */
export type OutputOf<Schema extends StandardSchema> = NonNullable<
  Schema["~standard"]["types"]
>["output"];
