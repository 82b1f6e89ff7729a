import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { isObject } from "../json-rpc.ts";
import type { Board, BoardStore } from "./board.ts";

/**
 * A board in a file. A reader sees the whole old or the whole new one, and sees the new one as soon
 * as `write` has returned.
 */
export function fileBoard(path: string): BoardStore {
  let text = "";
  let board: Board | undefined;
  return {
    read: () => {
      const found = readFileSync(path, "utf8");
      if (board === undefined || found !== text) board = parse(found);
      text = found;
      return board;
    },
    write: (next) => {
      writeFileSync(`${path}.new`, JSON.stringify(next));
      renameSync(`${path}.new`, path);
    },
  };
}

/** The file is written by `write` only. */
function parse(text: string): Board {
  const value: unknown = JSON.parse(text);
  if (!isObject(value) || !Array.isArray(value["faults"])) throw new Error("broken board");
  const own: unknown = value;
  return own as Board;
}
