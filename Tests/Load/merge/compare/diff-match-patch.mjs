// Times diff-match-patch in JavaScript on the texts of almanac-load-merge, and prints both times with their ratio.
//
// Usage: diff-match-patch.mjs LOAD-MERGE DIFF_MATCH_PATCH.JS
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import vm from "node:vm";

const [program, library] = process.argv.slice(2);
const load = (argument) => execFileSync(program, [argument], { encoding: "utf8", maxBuffer: 1 << 26 });

// The browser's copy declares a global; the one for Node exports it.
const scope = { module: { exports: {} } };
vm.runInNewContext(`${readFileSync(library, "utf8")};this.found = diff_match_patch`, scope);
const matcher = new scope.found();
// Raise the time limit, beyond which the library gives up and replaces the remaining text.
matcher.Diff_Timeout = 60;

/** Returns the median time of a piece of work, in microseconds. */
function microseconds(work) {
  const times = [];
  const start = performance.now();
  work();
  while (times.length < 5 || (performance.now() - start < 1000 && times.length < 2001)) {
    const begin = performance.now();
    work();
    times.push((performance.now() - begin) * 1000);
  }
  times.sort((left, right) => left - right);
  return times[times.length >> 1];
}

// Copy each text, so that it is not a slice of the whole output.
const fields = load("--texts").split("\u0001").map((field) => Buffer.from(field).toString());
const ours = load("--rows").trim().split("\n").map((row) => row.split("\t"));
const row = (name, ...cells) => console.log(name.padEnd(28) + cells.map((cell) => cell.padStart(12)).join(""));

row("note, times in µs", "diff", "JavaScript", "ratio", "merge", "JavaScript", "ratio");
for (const [index, [name, diff, merge]] of ours.entries()) {
  const [base, theirs, mine] = fields.slice(index * 4 + 1, index * 4 + 4);
  const theirDiff = microseconds(() => matcher.diff_main(base, mine));
  // diff-match-patch has no three-way merge, so measure the two diffs with which one would begin.
  const theirMerge = microseconds(() => {
    matcher.diff_main(base, theirs);
    matcher.diff_main(base, mine);
  });
  const cells = [Number(diff), theirDiff, theirDiff / diff, Number(merge), theirMerge, theirMerge / merge];
  row(name, ...cells.map((cell, column) => cell.toFixed(column % 3 === 2 ? 2 : 1)));
}
