/** One thing that is wrong with a value. */
export interface Fault {
  readonly keyword: string;
  /** JSON pointer into the value. */
  readonly instancePath: string;
  /** What the keyword asks for or misses, by the names that Ajv uses. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The property whose name is at fault. */
  readonly propertyName?: string;
  /** What stands under the keyword. */
  readonly schema: unknown;
  readonly parentSchema: unknown;
  readonly data: unknown;
  /** What is wrong with `data` by each alternative of `anyOf` or `oneOf`; where nothing is, undefined. */
  readonly alternatives?: Alternatives;
}

export type Alternatives = readonly (readonly Fault[] | undefined)[];
