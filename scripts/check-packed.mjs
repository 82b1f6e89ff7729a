// Packs every package and uses the tarballs as a stranger would: nothing of this workspace is in
// reach of them. Needs `dist`, so build first. Writes nothing outside the system's temp folder.
import { accessSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inPairs } from "./packed/command.mjs";
import { documents, snippetsOf } from "./packed/documents.mjs";
import { entriesOf, load, typeCheck } from "./packed/entries.mjs";
import { layPrograms, runProgram, typeCheckPrograms } from "./packed/snippets.mjs";
import {
  closure,
  copyInstalled,
  countVersions,
  installStranger,
  optionalPeers,
} from "./packed/stranger.mjs";
import { complaints, packAll } from "./packed/tarballs.mjs";

/** @typedef {import("./packed/tarballs.mjs").Packed} Packed */
/** @typedef {Record<string, import("./packed/stranger.mjs").Installed>} InstalledByPath */

const started = performance.now();
const work = mkdtempSync(join(tmpdir(), "check-packed-"));
process.once("exit", () => rmSync(work, { recursive: true, force: true }));
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));

let failed = 0;

/**
 * @param {string} title
 * @param {() => unknown} body
 */
async function check(title, body) {
  try {
    await body();
    console.log(`ok      ${title}`);
  } catch (error) {
    failed += 1;
    const reason = error instanceof Error ? error.message : String(error);
    console.log(`FAILED  ${title}\n        ${reason.replaceAll("\n", "\n        ")}`);
  }
}

function finish() {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `packed packages: ${failed === 0 ? "all checks passed" : `${failed} failed`} in ${seconds} s`,
  );
  process.exit(failed === 0 ? 0 : 1);
}

/** @param {readonly Packed[]} packs */
async function checkContents(packs) {
  const versions = new Map(packs.map(({ name, manifest }) => [name, manifest.version]));
  for (const packed of packs) {
    await check(`${packed.name}: ${packed.files.length} files, nothing left out or leaked`, () => {
      const found = complaints(packed, versions);
      if (found.length > 0) throw new Error(found.join("\n"));
    });
  }
}

/**
 * @param {string} stranger
 * @param {readonly Packed[]} packs
 */
async function checkTogether(stranger, packs) {
  const entries = packs.flatMap(entriesOf);
  await check(`all together: import and require of ${entries.length} entries`, () =>
    load(stranger, entries),
  );
  for (const resolution of /** @type {const} */ (["nodenext", "bundler"])) {
    await check(`all together: types for ${resolution}, lib ES2022 and @types/node`, () =>
      typeCheck(stranger, entries, "node", resolution),
    );
  }
}

/**
 * @param {string} stranger
 * @param {readonly Packed[]} packs
 */
async function checkPrograms(stranger, packs) {
  for (const { name, manifest } of packs) {
    for (const [program, path] of Object.entries(manifest.bin ?? {})) {
      await check(`${name}: npm links the program ${program}, which names its interpreter`, () => {
        accessSync(join(stranger, "node_modules/.bin", program));
        const text = readFileSync(join(stranger, "node_modules", name, path), "utf8");
        if (!text.startsWith("#!/usr/bin/env node\n")) throw new Error(`${path} has no #! line`);
      });
    }
  }
}

/**
 * @param {string} stranger
 * @param {InstalledByPath} installed
 * @param {Packed} packed
 */
async function checkAlone(stranger, installed, packed) {
  const { name, pure } = packed;
  const folder = join(work, "alone", name.replace("/", "-"));
  mkdirSync(folder, { recursive: true });
  const lay = (/** @type {string[]} */ ...names) => {
    const paths = closure(installed, names);
    copyInstalled(stranger, folder, paths);
    return countVersions(installed, paths);
  };
  const along = lay(name) - 1;
  await check(`${name} alone, ${along} packages along: import and require of its root`, () =>
    load(folder, [name]),
  );
  if (pure) {
    await check(`${name} alone: types of its root without @types/node, lib DOM`, () =>
      typeCheck(folder, [name], "web"),
    );
    const entries = entriesOf(packed);
    const peers = optionalPeers(packed).map(([peer]) => peer);
    if (entries.length > 1) {
      lay(...peers);
      await check(`${name} with ${peers}: types of its subpaths without @types/node, lib DOM`, () =>
        typeCheck(folder, entries, "web"),
      );
    }
  } else {
    lay("@types/node");
    await check(`${name} alone: types of its root, lib ES2022 and @types/node`, () =>
      typeCheck(folder, [name], "node"),
    );
  }
}

/** @param {string} stranger */
async function checkSnippets(stranger) {
  const snippets = documents().flatMap(snippetsOf);
  const programs = layPrograms(
    stranger,
    snippets.filter(({ language }) => language === "ts"),
  );
  if (programs.length === 0) return;
  await check(`snippets: ${programs.length} programs type-check`, () =>
    typeCheckPrograms(stranger, programs),
  );
  await inPairs(programs, (program) =>
    check(`snippet ${program.title} runs as printed`, () => runProgram(program)),
  );
}

const stranger = join(work, "stranger");
const packs = await packAll(work);
await checkContents(packs);
if (failed > 0) finish();
/** @type {InstalledByPath} */
let installed = {};
await check("npm installs every tarball, the optional peers and the shown servers", async () => {
  installed = await installStranger(stranger, packs);
});
if (failed > 0) finish();
await checkTogether(stranger, packs);
await checkPrograms(stranger, packs);
await inPairs(packs, (packed) => checkAlone(stranger, installed, packed));
await checkSnippets(stranger);
finish();
