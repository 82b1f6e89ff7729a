/** A tool the server lists that cannot be used, and why. */
export interface MCPQuarantined {
  readonly name?: string;
  /** A `QuarantineCode` of `@x/mcp-parse`, or the code of the schema error. */
  readonly code: string;
  /** JSON pointer into the tool as the server listed it. */
  readonly path: string;
  readonly message: string;
}
