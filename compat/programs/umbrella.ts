import type { MCPClient } from "@ai-sdk/mcp";

/** The code under test: a decision of an agent, by what a tool says. */
export async function needsUmbrella(weather: MCPClient, city: string): Promise<boolean | null> {
  const tools = await weather.tools();
  const abortSignal = AbortSignal.timeout(1_000);
  const options = { toolCallId: "1", messages: [], abortSignal };
  try {
    const result = await tools["get_weather"]?.execute?.({ city }, options);
    return JSON.stringify(result).includes("rain");
  } catch {
    return null;
  }
}
