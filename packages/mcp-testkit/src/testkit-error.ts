/**
 * - `fault`: a fault that does not exist, does not fit this server, or has a wrong parameter
 * - `option`: an option or an argument of the command line is wrong
 * - `stopped`: the server was used after `stop()`
 */
export type TestkitErrorCode = "fault" | "option" | "stopped";

export class TestkitError extends Error {
  override readonly name = "TestkitError";
  readonly code: TestkitErrorCode;

  constructor(code: TestkitErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
