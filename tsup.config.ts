import { defineConfig } from "tsup";

// Found from every package folder, so one file builds them all. tsc writes the declarations.
export default defineConfig({
  entry: ["src/index.ts"],
  format: "esm",
  target: "node20",
  removeNodeProtocol: false,
  clean: true,
  sourcemap: true,
  silent: true,
});
