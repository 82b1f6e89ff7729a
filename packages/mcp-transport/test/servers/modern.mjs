// A server of @modelcontextprotocol/server over stdio. ERAS: "modern" or "both".
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { modernServer } from "../support/modern-tools.mjs";

if (process.env.DIE_BEFORE_INITIALIZE) process.exit(1);
const { factory } = modernServer();
serveStdio(factory, { legacy: process.env.ERAS === "both" ? "serve" : "reject" });
