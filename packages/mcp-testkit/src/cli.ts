#!/usr/bin/env node
import { ownSurroundings, runCommandLine } from "./cli/command-line.ts";

runCommandLine(process.argv.slice(2), ownSurroundings).then((ran) => {
  if (typeof ran === "number") process.exitCode = ran;
});
