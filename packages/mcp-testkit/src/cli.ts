#!/usr/bin/env node
import { runCommandLine } from "./cli/command-line.ts";

runCommandLine(process.argv.slice(2));
