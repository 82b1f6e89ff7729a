/**
 * @typedef {object} Fence
 * @property {string} language the info string
 * @property {string} text
 * @property {number} line of the opening fence, from 1
 */

/** Run, type-checked or parsed; the others are only shown. */
const languages = ["ts", "json", "yaml", "sh", "text", "diff"];

/**
 * Every fenced block of a Markdown document.
 * @param {string} markdown
 * @returns {Fence[]}
 * @throws on a fence that would slip past the checks: unknown info string, tildes, no end
 */
export function fences(markdown) {
  /** @type {Fence[]} */
  const found = [];
  /** @type {{ indent: number, ticks: string, fence: Fence } | undefined} */
  let open;
  for (const [index, text] of markdown.split(/\r?\n/).entries()) {
    const mark = /^( *)(`{3,}|~{3,})(.*)$/.exec(text);
    if (open === undefined) {
      if (mark !== null) open = begin(mark, index + 1);
    } else if (mark?.[2]?.startsWith(open.ticks) && mark[3]?.trim() === "") {
      found.push(open.fence);
      open = undefined;
    } else {
      open.fence.text += `${text.slice(Math.min(open.indent, text.search(/\S|$/)))}\n`;
    }
  }
  if (open !== undefined) throw new Error(`line ${open.fence.line}: this fence never ends`);
  return found;
}

/**
 * @param {RegExpExecArray} mark
 * @param {number} line
 */
function begin([, indent = "", ticks = "", info = ""], line) {
  const language = info.trim();
  if (ticks.startsWith("~")) throw new Error(`line ${line}: fence with backticks, not tildes`);
  if (!languages.includes(language)) {
    const given = language === "" ? "no info string" : `info string "${language}"`;
    throw new Error(`line ${line}: ${given}; one of ${languages.join(", ")} is expected`);
  }
  return { indent: indent.length, ticks, fence: { language, text: "", line } };
}

/**
 * What a program says that it prints, in `// prints: …` comments.
 * @param {string} program
 * @returns {string[]}
 */
export function promisedLines(program) {
  return [...program.matchAll(/\/\/ prints: (.*)$/gm)].map((match) => match[1] ?? "");
}

/**
 * The first promised line that a program did not print, or printed before the one promised earlier.
 * @param {readonly string[]} promised
 * @param {string} printed
 * @returns {string | undefined}
 */
export function brokenPromise(promised, printed) {
  const lines = printed.split(/\r?\n/);
  return promised.find((line) => {
    const at = lines.indexOf(line);
    lines.splice(0, at + 1);
    return at < 0;
  });
}
