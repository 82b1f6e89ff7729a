import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

// Found from every package folder too: `pnpm --filter @x/mcp-parse test` runs that package alone.
export default defineConfig({
  // Workspace packages resolve to their src, so tests need no build.
  ssr: { resolve: { conditions: ["@x/source", "module", "node", "development|production"] } },
  test: {
    include: ["{packages/*/,}test/**/*.test.ts"],
    testTimeout: 20_000,
    // Most tests wait for a process or a socket, so two cores have room for three files.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    // Real processes and sockets may lose a race against a busy machine; what is broken fails again.
    retry: 2,
    coverage: {
      include: ["{packages/*/,}src/**"],
      reporter: ["text-summary", "html"],
      thresholds: { lines: 90, branches: 85 },
    },
  },
});
