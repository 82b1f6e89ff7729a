import { readFileSync } from "node:fs";

/** A schema of a property, with values that it takes and that it refuses. */
export interface SchemaKind {
  readonly kind: string;
  readonly schema: Record<string, unknown>;
  readonly takes: readonly unknown[];
  readonly refuses: readonly unknown[];
}

const read = (name: string): SchemaKind[] =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.json`, import.meta.url), "utf8"));

export const schemaKinds: readonly SchemaKind[] = read("schema-kinds");
/** Keywords that neither Zod nor most of its conversions know. */
export const rareKinds: readonly SchemaKind[] = read("rare-schema-kinds");

export const definitions: object = {
  point: { type: "object", properties: { x: { type: "number" } }, required: ["x"] },
};
