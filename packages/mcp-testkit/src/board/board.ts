import type { ActiveFault } from "../faults/fault.ts";
import type { JsonObject } from "../json-rpc.ts";
import type { TestTool } from "../protocol/tool.ts";

/** A notification that the test wants sent to every session. */
interface Notice {
  readonly number: number;
  readonly method: string;
  readonly params?: JsonObject;
}

/** What a test can change while the server runs. */
export interface Board {
  readonly faults: readonly ActiveFault[];
  readonly tools: readonly TestTool[];
  readonly notices: readonly Notice[];
}

/** Where the board lies: in memory, or in a file between a test and its child processes. */
export interface BoardStore {
  read(): Board;
  write(board: Board): void;
}

export const emptyBoard: Board = { faults: [], tools: [], notices: [] };

export function memoryBoard(): BoardStore {
  let current = emptyBoard;
  return {
    read: () => current,
    write: (board) => {
      current = board;
    },
  };
}
