import { join } from "node:path";

/** What a test and the processes of its server share. */
export function boardFile(folder: string): string {
  return join(folder, "board.json");
}

export function journalFile(folder: string): string {
  return join(folder, "journal.jsonl");
}

export function serviceFile(folder: string): string {
  return join(folder, "service.json");
}
