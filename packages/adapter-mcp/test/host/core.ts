import { pathToFileURL } from "node:url";
import type { RejellyCore } from "./contract.ts";

/**
 * What `@rejelly/core` is in this suite: the host of this folder, or the real one, which is not on
 * npm, with `REJELLY_CORE=<path to its dist/index.js>`.
 */
const real: string | undefined = process.env["REJELLY_CORE"];

export const isRealCore: boolean = real !== undefined;
export const core: RejellyCore =
  real === undefined ? await import("./index.ts") : await import(pathToFileURL(real).href);
