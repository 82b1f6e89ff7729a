// `node scripts/bootstrap.mjs <script> [argument…]` installs with the exact pnpm that package.json
// pins, then runs a root script through it. A bare clone needs only Node and npm.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const manifest = readFileSync(new URL("../package.json", import.meta.url), "utf8");
const { packageManager } = JSON.parse(manifest);

for (const args of [
  ["install", "--frozen-lockfile"],
  ["run", ...process.argv.slice(2)],
]) {
  const { status } = spawnSync("npx", ["--yes", "--prefer-offline", packageManager, ...args], {
    stdio: "inherit",
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: "1" },
    shell: process.platform === "win32",
  });
  if (status !== 0) process.exit(status ?? 1);
}
