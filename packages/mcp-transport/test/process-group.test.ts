import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { groupGone, groupLives, killGroupNow, signalGroup } from "../src/stdio/process-group.ts";

it("a group lives as long as one of its processes", async () => {
  const leader = spawn("sh", ["-c", "sleep 60 & sleep 0.1"], { detached: true, stdio: "ignore" });
  const pid = leader.pid ?? 0;
  expect(groupLives(pid)).toBe(true);
  await once(leader, "exit");
  expect(groupLives(pid)).toBe(true);
  expect(await groupGone(pid, 100)).toBe(false);
  signalGroup(pid, "SIGTERM");
  expect(await groupGone(pid, 5_000)).toBe(true);
});

it("a group of the dead that nobody buries does not live", async () => {
  // The shell becomes a program that never asks for its child.
  const script = "set -m; sleep 0.05 & echo $!; exec sleep 60";
  const parent = spawn("bash", ["-c", script], { stdio: ["ignore", "pipe", "ignore"] });
  const [output] = await once(parent.stdout, "data");
  const zombie = Number(String(output));
  await sleep(500);
  // It can still be signalled.
  expect(() => process.kill(-zombie, 0)).not.toThrow();
  expect(groupLives(zombie)).toBe(process.platform !== "linux");
  parent.kill("SIGKILL");
});

it("what is gone already can be ended again", async () => {
  const leader = spawn("true", [], { detached: true, stdio: "ignore" });
  await once(leader, "exit");
  const pid = leader.pid ?? 0;
  signalGroup(pid, "SIGTERM");
  killGroupNow(pid);
  expect(await groupGone(pid, 1_000)).toBe(true);
});
