import type { HTTPServerConfig, MCPServerConfig, StdioServerConfig } from "./config.ts";

/** The url without query, fragment and user info. */
export function describeUrl(url: string | URL): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname}`;
}

export function describeCommand(config: StdioServerConfig): string {
  const count = config.args?.length ?? 0;
  return `${config.command} with ${count} argument${count === 1 ? "" : "s"}`;
}

/** What may be shown of a config: no argument, no value of a variable or header, no query. */
export function describeConfig(config: MCPServerConfig): Record<string, unknown> {
  return "command" in config ? describeStdio(config) : describeHttp(config);
}

function describeStdio(config: StdioServerConfig): Record<string, unknown> {
  const { args, env, ...rest } = config;
  return {
    ...rest,
    ...(args && { args: `${args.length} hidden` }),
    ...(env && { env: Object.keys(env) }),
  };
}

function describeHttp(config: HTTPServerConfig): Record<string, unknown> {
  const { headers, fetch: _fetch, authProvider: _authProvider, ...rest } = config;
  return {
    ...rest,
    url: describeUrl(config.url),
    ...(headers && { headers: typeof headers === "function" ? "function" : Object.keys(headers) }),
  };
}
