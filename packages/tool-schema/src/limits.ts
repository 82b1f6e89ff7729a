/** What a schema from an untrusted party may cost. Real tools stay far below each of these. */
export interface SchemaLimits {
  /** Size as JSON text in UTF-8, within a few percent. @defaultValue 262_144 */
  readonly maxBytes: number;
  /** Values of any kind, the containers included. @defaultValue 20_000 */
  readonly maxNodes: number;
  /** Levels of objects and arrays inside each other. @defaultValue 64 */
  readonly maxDepth: number;
  /** Schemas inside the schema, itself included; booleans do not count. @defaultValue 1_500 */
  readonly maxSubschemas: number;
  /** Entries of one `properties`, `patternProperties`, `$defs` and the like. @defaultValue 1_000 */
  readonly maxProperties: number;
  /** Entries of one `anyOf`, `oneOf`, `allOf` or tuple. @defaultValue 100 */
  readonly maxBranches: number;
  /** Members of one `enum`. @defaultValue 5_000 */
  readonly maxEnumItems: number;
  /** UTF-16 units of one text or name. @defaultValue 32_768 */
  readonly maxStringLength: number;
  /** Regular expressions in all. @defaultValue 200 */
  readonly maxPatterns: number;
  /** UTF-16 units of one regular expression. @defaultValue 512 */
  readonly maxPatternLength: number;
  /**
   * Schemas that one value can be judged by at one place, through `$ref`, `allOf`, `anyOf`,
   * `oneOf`, `not`, `if` and dependent schemas. @defaultValue 20_000
   */
  readonly maxEvaluations: number;
}

const defaults: SchemaLimits = {
  maxBytes: 262_144,
  maxNodes: 20_000,
  maxDepth: 64,
  maxSubschemas: 1_500,
  maxProperties: 1_000,
  maxBranches: 100,
  maxEnumItems: 5_000,
  maxStringLength: 32_768,
  maxPatterns: 200,
  maxPatternLength: 512,
  maxEvaluations: 20_000,
};

export function limitsOf(given: Partial<SchemaLimits> = {}): SchemaLimits {
  const set = Object.entries(given).filter(([, limit]) => limit !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
}
