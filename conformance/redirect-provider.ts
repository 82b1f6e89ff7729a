/** An OAuth client of the shape that both SDKs take, whose user agrees to everything at once. */
export class RedirectProvider {
  readonly redirectUrl = "http://localhost:3000/callback";
  readonly clientMetadataUrl = "https://conformance-test.local/client-metadata.json";
  readonly clientMetadata: object = {
    client_name: "conformance",
    redirect_uris: ["http://localhost:3000/callback"],
    application_type: "native",
  };
  #clients = new Map<string, object>();
  #given: object | undefined;
  #tokens: { readonly issuer: string | undefined; readonly tokens: object } | undefined;
  #verifier = "";
  #discovery: object | undefined;
  #response: URLSearchParams | undefined;
  #finishing = false;

  clientInformation(context?: { issuer?: string }): object | undefined {
    return this.#clients.get(context?.issuer ?? "") ?? this.#given;
  }

  saveClientInformation(information: object, context?: { issuer?: string }): void {
    if (context?.issuer === undefined) this.#given = information;
    else this.#clients.set(context.issuer, information);
  }

  tokens(context?: { issuer?: string }): object | undefined {
    const saved = this.#tokens;
    const foreign = context?.issuer !== undefined && saved?.issuer !== context.issuer;
    return foreign ? undefined : saved?.tokens;
  }

  saveTokens(tokens: object, context?: { issuer?: string }): void {
    this.#tokens = { tokens, issuer: context?.issuer };
    this.#finishing = false;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: object): void {
    this.#discovery = state;
  }

  /** Only what the redirect began with; a later one has to look again. */
  discoveryState(): object | undefined {
    return this.#finishing ? this.#discovery : undefined;
  }

  invalidateCredentials(scope: "all" | "client" | "tokens" | "verifier" | "discovery"): void {
    if (scope === "all" || scope === "tokens") this.#tokens = undefined;
    if (scope === "all" || scope === "client") this.#clients.clear();
    if (scope === "all" || scope === "discovery") this.#discovery = undefined;
  }

  async redirectToAuthorization(url: URL): Promise<void> {
    const response = await fetch(url, { redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null) throw new Error("the authorization server does not redirect");
    this.#response = new URL(location).searchParams;
  }

  /** The parameters of the last callback, once. */
  takeResponse(): URLSearchParams | undefined {
    const response = this.#response;
    this.#response = undefined;
    this.#finishing = response !== undefined;
    return response;
  }
}
