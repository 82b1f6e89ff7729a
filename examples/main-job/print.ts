import { styleText } from "node:util";

const color = process.stdout.isTTY === true;

function styled(style: Parameters<typeof styleText>[0], text: string): string {
  return color ? styleText(style, text) : text;
}

export function heading(text: string): void {
  console.log(`\n${styled("bold", text)}`);
}

export function line(text: string): void {
  console.log(`  ${text}`);
}

/** One thing that was shown: what was done, and what came of it. */
export function shown(what: string, came: string): void {
  console.log(`  ${styled("green", "✓")} ${what.padEnd(42)} ${styled("dim", cut(came, 110))}`);
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = header.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const format = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ");
  line(styled("dim", format(header)));
  for (const row of rows) line(format(row));
}

export function cut(text: string, length: number): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= length ? flat : `${flat.slice(0, length - 1)}…`;
}
