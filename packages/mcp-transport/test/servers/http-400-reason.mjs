import { httpServer, json } from "./_lib.mjs";

httpServer(
  {},
  {
    post: (_q, r, m) =>
      json(r, 400, {
        jsonrpc: "2.0",
        id: m?.id ?? null,
        error: { code: -32600, message: "workspace not enabled: ask an owner to switch it on" },
      }),
  },
);
