import { startTestServer } from "@x/mcp-testkit";

/** A remote server that lets in only who brings the token given out last, until it expires. */
export async function startProtected() {
  const server = await startTestServer();
  let issued = 0;
  const lock = (token: string) => server.faults.on({ fault: "unauthorized", token });
  let door = lock("none yet");
  const accept = (token: string) => {
    door.off();
    door = lock(token);
    return token;
  };
  return {
    url: server.url,
    /** How many tokens were given out. */
    issued: () => issued,
    async issueToken() {
      issued += 1;
      console.log(`token ${issued} is given out`);
      return accept(`token-${issued}`);
    },
    expireTokens() {
      accept("none any more");
    },
    stop: () => server.stop(),
  };
}
