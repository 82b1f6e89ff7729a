/**
 * An OAuth client, of the form that the official SDKs call `OAuthClientProvider`. It is handed on to
 * the engine, which calls it; anything written for the SDK fits.
 */
export interface AuthProviderLike {
  readonly redirectUrl: string | URL | undefined;
  readonly clientMetadata: object;
  clientInformation(): unknown;
  tokens(): unknown;
  saveTokens(tokens: object): unknown;
  redirectToAuthorization(authorizationUrl: URL): unknown;
  saveCodeVerifier(codeVerifier: string): unknown;
  codeVerifier(): string | Promise<string>;
}
