import { splitName } from "./words.ts";

/** The ten words of the base table. The built-in lexicon of `inferCapabilities` extends it. */
export const baseTable: { readonly read: readonly string[]; readonly write: readonly string[] } = {
  read: ["read", "get", "list", "search", "find"],
  write: ["write", "create", "update", "delete", "set"],
};

/** What the base table alone says of a name. Both fields false means that nothing is known. */
export interface BaseVerdict {
  readonly readOnly: boolean;
  readonly writes: boolean;
}

/**
 * Judges a name by the base table alone, comparing whole words and ignoring their order: a writing word
 * wins over a reading one, and a name with neither gives false for both.
 */
export function inferFromBaseTable(name: string): BaseVerdict {
  const words = splitName(name);
  const writes = words.some((word) => baseTable.write.includes(word));
  const readOnly = !writes && words.some((word) => baseTable.read.includes(word));
  return { readOnly, writes };
}
