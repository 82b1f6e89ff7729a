import { stdio } from "./_lib.mjs";

stdio({
  initialize: () => ({
    protocolVersion: "2099-01-01",
    capabilities: { tools: {} },
    serverInfo: { name: "f", version: "9" },
  }),
  tools: [],
});
