/** The versions of MCP that the server speaks, the newest last. */
export const protocolVersions: readonly string[] = [
  "2024-11-05",
  "2025-03-26",
  "2025-06-18",
  "2025-11-25",
];

/** @returns the version asked for if it is among those spoken, else the newest of them */
export function negotiate(asked: unknown, spoken: readonly string[]): string {
  const [newest = "2025-11-25"] = spoken.slice(-1);
  return spoken.find((version) => version === asked) ?? newest;
}

/** JSON-RPC batches came with 2025-03-26 and went with 2025-06-18. */
export function allowsBatch(version: string | undefined): boolean {
  return version === "2025-03-26";
}
