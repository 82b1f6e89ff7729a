/**
 * Thrown for what application code did: a wrong spec, a clash, a wrong override. What a tool or a
 * model causes is never thrown; it is a `ToolResult` with an `errorCode`.
 *
 * - `not_found`: no such tool; thrown by `toModel` of `modelNames`
 * - `no_longer_available`: a removed tool; only results carry it today
 * - `duplicate`: an id registered twice, or two ids that would get the same model name
 * - `id_taken`: another owner holds the id; `owners` names both
 * - `invalid_namespace`: empty, not a string, or it holds a `/`
 * - `invalid_spec`: a wrong field of a spec, a definition, a filter or an option; `field` names it
 * - `invalid_override`: a wrong override; `file`, `line` and `field` say where, as far as known
 * - `too_many_tools`: `modelTools` found more than `maxTools`
 */
export type ToolRegistryErrorCode =
  | "not_found"
  | "no_longer_available"
  | "duplicate"
  | "id_taken"
  | "invalid_namespace"
  | "invalid_spec"
  | "invalid_override"
  | "too_many_tools";

export interface ToolRegistryErrorDetails {
  readonly field?: string | undefined;
  readonly file?: string | undefined;
  /** Counted from 1. */
  readonly line?: number | undefined;
  /** With `id_taken`: who holds the id, and who asked for it. */
  readonly owners?: readonly [holder: string, claimant: string];
  readonly cause?: unknown;
}

export class ToolRegistryError extends Error {
  override readonly name = "ToolRegistryError";
  readonly code: ToolRegistryErrorCode;
  readonly field: string | undefined;
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly owners: readonly [holder: string, claimant: string] | undefined;

  constructor(
    code: ToolRegistryErrorCode,
    message: string,
    details: ToolRegistryErrorDetails = {},
  ) {
    super(message, "cause" in details ? { cause: details.cause } : undefined);
    this.code = code;
    this.field = details.field;
    this.file = details.file;
    this.line = details.line;
    this.owners = details.owners;
  }
}
