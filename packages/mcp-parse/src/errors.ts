/**
 * - `invalid_page`: a list answer holds no list, or its `nextCursor` is no cursor
 * - `limit`: a list passed one of the {@link PageLimits}, named in the message
 * - `config`: an option is wrong
 * - `invalid_result`: the answer to `tools/call` is no object
 * - `invalid_prompt`: the answer to `prompts/get` has no messages
 * - `invalid_resource`: the answer to `resources/read` has no contents
 * - `invalid_template`: a URI template breaks RFC 6570
 * - `missing_variable`: a URI template needs a variable that was not given
 * - `unreadable`: reading a property threw; the thrown value is the `cause`
 */
export type MCPParseErrorCode =
  | "invalid_page"
  | "limit"
  | "config"
  | "invalid_result"
  | "invalid_prompt"
  | "invalid_resource"
  | "invalid_template"
  | "missing_variable"
  | "unreadable";

/** The only error this package throws. Branch on `code`. */
export class MCPParseError extends Error {
  override readonly name = "MCPParseError";
  readonly code: MCPParseErrorCode;
  /** JSON pointer into the value that was read. */
  readonly path: string;

  constructor(
    code: MCPParseErrorCode,
    message: string,
    { path = "", cause }: { readonly path?: string; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.path = path;
  }
}

/**
 * Runs a reader over a foreign value. A property that throws when read (a getter, a proxy) becomes
 * a coded error.
 */
export function guarded<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof MCPParseError) throw cause;
    throw new MCPParseError("unreadable", `${what} cannot be read: a property throws`, { cause });
  }
}
