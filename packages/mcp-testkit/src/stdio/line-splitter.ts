const newline = 10;

/** Cuts a stream of bytes into lines; a line may come in any number of pieces. */
export class LineSplitter {
  #pieces: Buffer[] = [];

  /** @returns the lines that this piece completes, without their ends and without empty ones */
  push(piece: Buffer): string[] {
    const lines: string[] = [];
    let rest = piece;
    for (let end = rest.indexOf(newline); end >= 0; end = rest.indexOf(newline)) {
      this.#pieces.push(rest.subarray(0, end));
      const line = Buffer.concat(this.#pieces).toString().trim();
      if (line !== "") lines.push(line);
      this.#pieces = [];
      rest = rest.subarray(end + 1);
    }
    if (rest.length > 0) this.#pieces.push(rest);
    return lines;
  }
}
