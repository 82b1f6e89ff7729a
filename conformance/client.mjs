// Lets a few clients run at a time: the suite starts all at once, and its mocks are not patient.
import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const {
  CONFORMANCE_FOLDER: folder,
  CONFORMANCE_DRIVER: driver,
  MCP_CONFORMANCE_SCENARIO: scenario,
} = process.env;
const slots = 3;

function take() {
  for (let slot = 0; slot < slots; slot += 1) {
    try {
      mkdirSync(`${folder}/slot-${slot}`);
      return slot;
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
  }
  return undefined;
}

let slot = take();
while (slot === undefined) {
  await sleep(50);
  slot = take();
}
process.on("exit", (code) => {
  rmdirSync(`${folder}/slot-${slot}`);
  // The suite itself does not ask how its clients ended.
  writeFileSync(`${folder}/exit-${scenario.replaceAll("/", "-")}`, String(code));
});
await import(driver);
