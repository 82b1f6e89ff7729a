import type { StdioServerConfig } from "../config.ts";

type Variables = Readonly<Record<string, string | undefined>>;

const passedOn = ["HOME", "LOGNAME", "PATH", "SHELL", "TERM", "USER"];
const passedOnByWindows = [
  "APPDATA",
  "COMSPEC",
  "HOMEDRIVE",
  "HOMEPATH",
  "LOCALAPPDATA",
  "PATH",
  "PATHEXT",
  "PROCESSOR_ARCHITECTURE",
  "PROGRAMDATA",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
  "WINDIR",
];

/** The little that every program needs, what `inheritEnv` names, and what the config gives. */
export function childEnvironment(
  config: StdioServerConfig,
  parent: Variables = process.env,
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const { inheritEnv = false } = config;
  const always = platform === "win32" ? passedOnByWindows : passedOn;
  const named = typeof inheritEnv === "boolean" ? [] : inheritEnv;
  const names = inheritEnv === true ? Object.keys(parent) : [...always, ...named];
  const inherited = names.flatMap((name) => {
    const value = Object.hasOwn(parent, name) ? parent[name] : undefined;
    // A value that begins so is a function of the shell, not a variable.
    return value === undefined || value.startsWith("()") ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(inherited), ...config.env };
}

const proxies = /^(?:(?:https?|all|no)_proxy|npm_config_(?:https?_)?proxy)$/i;

/** Names of the proxy variables set here that the child does not get. */
export function droppedProxies(
  child: Readonly<Record<string, string>>,
  parent: Variables = process.env,
): string[] {
  return Object.keys(parent).filter((name) => proxies.test(name) && !Object.hasOwn(child, name));
}
