import { startTestServer, type TestServer, type TestServerOptions } from "@x/mcp-testkit";
import { onTestFinished } from "vitest";

/** A testkit server over HTTP that has nothing but the given tools, and ends with the test. */
export async function serve(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer({ builtInTools: false, ...options });
  onTestFinished(() => server.stop());
  return server;
}

/** How often a method was asked for. */
export function count(server: TestServer, method: string): number {
  return server.requests.filter((request) => request.method === method).length;
}
