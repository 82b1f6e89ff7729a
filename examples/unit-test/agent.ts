import type { MCPToolAdapter } from "@x/mcp-adapter";

/** The code under test: a decision of an agent, by what a tool says. */
export async function needsUmbrella(
  weather: MCPToolAdapter,
  city: string,
): Promise<boolean | null> {
  const result = await weather.invoke("get_weather", { city }, { timeoutMs: 10_000 });
  if (!result.success) return null;
  return result.content.some(({ text }) => String(text).includes("rain"));
}
