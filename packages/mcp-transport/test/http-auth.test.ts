import { describe, expect, it } from "vitest";
import { type AuthProviderLike, createTransport, type OpenOptions } from "../src/index.ts";
import { failure } from "./support/failure.ts";
import { json, type LocalServer, mcp, serve } from "./support/http-server.ts";

describe.each(["v1", "v2"] as const)("over engine %s", (engine) => {
  interface Provider extends AuthProviderLike {
    readonly sentTo: URL[];
  }

  /** Keeps everything in memory, as a test or a first program does. */
  function provider(): Provider {
    let tokens: object | undefined;
    let verifier = "";
    const sentTo: URL[] = [];
    return {
      redirectUrl: "http://localhost/callback",
      clientMetadata: { redirect_uris: ["http://localhost/callback"] },
      sentTo,
      clientInformation: () => ({ client_id: "client-1" }),
      tokens: () => tokens,
      saveTokens: (given) => {
        tokens = given;
      },
      redirectToAuthorization: (url) => sentTo.push(url),
      saveCodeVerifier: (given) => {
        verifier = given;
      },
      codeVerifier: () => verifier,
    };
  }

  /** An authorization server for one client, and an MCP server that wants its token. */
  async function protectedServer(
    refusal?: object,
  ): Promise<{ server: LocalServer; authority: LocalServer }> {
    const authority = await serve(({ path }, response) => {
      const issuer = new URL(authority.url).origin;
      if (path.startsWith("/.well-known/oauth-authorization-server")) {
        json(response, {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          response_types_supported: ["code"],
          code_challenge_methods_supported: ["S256"],
        });
      } else if (path === "/token" && refusal !== undefined) {
        json(response, refusal, 400);
      } else if (path === "/token") {
        json(response, { access_token: "granted-token", token_type: "Bearer" });
      } else {
        response.writeHead(404).end();
      }
    });
    const server = await mcp({
      first: ({ path, headers }, response) => {
        const origin = new URL(server.url).origin;
        if (path.startsWith("/.well-known/oauth-protected-resource")) {
          const issuer = new URL(authority.url).origin;
          json(response, { resource: server.url, authorization_servers: [issuer] });
          return true;
        }
        if (headers.authorization === "Bearer granted-token") return false;
        const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
        const challenge = `Bearer resource_metadata="${metadata}"`;
        response.writeHead(401, { "www-authenticate": challenge }).end();
        return true;
      },
    });
    return { server, authority };
  }

  describe("an authProvider", () => {
    it("sends the user away, and a fresh transport finishes what comes back", async () => {
      const { server, authority } = await protectedServer();
      const authProvider = provider();
      const headers = { "X-Team": "for the MCP server only" };
      const config = { name: "web", url: server.url, authProvider, headers };
      const error = await failure(createTransport(config, { engine }).open());
      expect(error).toMatchObject({ code: "unauthorized" });
      expect(authProvider.sentTo).toHaveLength(1);
      const [asked] = authProvider.sentTo;
      expect(asked?.origin).toBe(new URL(authority.url).origin);
      expect(asked?.searchParams.get("code_challenge_method")).toBe("S256");
      expect(asked?.searchParams.get("resource")).toBe(server.url);

      const authorizationResponse = new URLSearchParams({ code: "code-1", state: "s" });
      const connection = await createTransport(config, { engine }).open({ authorizationResponse });
      expect(await connection.callTool("t", {})).toEqual({ ok: true });
      await connection.close();

      const again = await createTransport(config, { engine }).open();
      expect(await again.callTool("t", {})).toEqual({ ok: true });
      await again.close();
      expect(authProvider.sentTo).toHaveLength(1);
      // What the user gave for the server is not told to anybody else.
      expect(authority.seen.length).toBeGreaterThan(0);
      for (const { headers: told } of authority.seen) expect(told).not.toHaveProperty("x-team");
    });

    it.each<[parameters: Record<string, string>, expected: object, says: string]>([
      [
        { error: "access_denied", error_description: "not today" },
        { code: "unauthorized" },
        "authorization was refused: access_denied not today",
      ],
      [{ state: "s" }, { code: "config", field: "authorizationResponse" }, "holds no code"],
    ])("is told what the callback says: %j", async (parameters, expected, says) => {
      const { server } = await protectedServer();
      const transport = createTransport(
        { name: "web", url: server.url, authProvider: provider() },
        { engine },
      );
      const authorizationResponse = new URLSearchParams(parameters);
      const error = await failure(transport.open({ authorizationResponse }));
      expect(error).toMatchObject(expected);
      expect(error.message).toContain(says);
      expect(server.of("initialize")).toEqual([]);
    });

    it("is told what the authorization server refuses, so that it forgets what is of no use", async () => {
      const refusal = { error: "invalid_grant", error_description: "the code was used before" };
      const { server } = await protectedServer(refusal);
      const forgotten: string[] = [];
      const authProvider = {
        ...provider(),
        invalidateCredentials: (what: string) => void forgotten.push(what),
      };
      const transport = createTransport({ name: "web", url: server.url, authProvider }, { engine });
      const authorizationResponse = new URLSearchParams({ code: "code-1" });
      const error = await failure(transport.open({ authorizationResponse }));
      expect(error).toMatchObject({
        code: "unauthorized",
        cause: { message: expect.stringContaining("the code was used before") },
      });
      expect(forgotten).toEqual(["tokens"]);
    });

    it("is asked over SSE too", async () => {
      const { server } = await protectedServer();
      const authProvider = provider();
      const transport = createTransport(
        {
          name: "w",
          url: server.url,
          transport: "sse",
          authProvider,
        },
        { engine },
      );
      expect(await failure(transport.open())).toMatchObject({ code: "unauthorized" });
      expect(authProvider.sentTo).toHaveLength(1);
    });

    it("reaches only allowed hosts", async () => {
      const { server, authority } = await protectedServer();
      const allowedHosts = ["localhost"];
      const url = server.url.replace("127.0.0.1", "localhost");
      const config = { name: "web", url, authProvider: provider(), allowedHosts };
      const error = await failure(createTransport(config, { engine }).open());
      // The SDK looks for an authorization server elsewhere then.
      expect(error).toMatchObject({ code: "unauthorized" });
      expect(authority.seen).toEqual([]);
    });

    it("is needed for an authorizationResponse", async () => {
      const { server } = await protectedServer();
      const options: OpenOptions = { authorizationResponse: new URLSearchParams({ code: "c" }) };
      const needsProvider = { code: "config", field: "authorizationResponse" };
      const http = createTransport({ name: "web", url: server.url }, { engine });
      expect(await failure(http.open(options))).toMatchObject(needsProvider);
      const stdio = createTransport({ name: "s", command: process.execPath }, { engine });
      expect(await failure(stdio.open(options))).toMatchObject(needsProvider);
      expect(server.seen).toEqual([]);
    });
  });
});
