/** Sent in the handshake unless `clientInfo` is given; a test holds it to package.json. */
export const clientInfo: { readonly name: string; readonly version: string } = {
  name: "@x/mcp-adapter",
  version: "0.0.0",
};
