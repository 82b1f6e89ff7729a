// Lets a few clients run at a time: the suite starts all at once, and its mocks are not patient.
import { mkdirSync, rmdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

const { CONFORMANCE_SLOTS: folder, CONFORMANCE_DRIVER: driver } = process.env;
const slots = 3;

function take() {
  for (let slot = 0; slot < slots; slot += 1) {
    try {
      mkdirSync(`${folder}/${slot}`);
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
process.on("exit", () => rmdirSync(`${folder}/${slot}`));
await import(driver);
