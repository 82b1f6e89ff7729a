import { afterEach } from "vitest";

const opened: (() => Promise<unknown>)[] = [];

/** Registers what is to be closed when the test is over, the newest first. */
export function closing<Thing extends { close(): Promise<unknown> }>(thing: Thing): Thing {
  opened.push(() => thing.close());
  return thing;
}

export function stopping<Thing extends { stop(): Promise<unknown> }>(thing: Thing): Thing {
  opened.push(() => thing.stop());
  return thing;
}

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});
