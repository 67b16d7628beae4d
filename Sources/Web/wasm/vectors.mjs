// Runs the vectors in Node, and in wasmkit if its module is given, and compares the results byte for byte.
//
// Usage: vectors.mjs VECTORS.json textmerge-HASH.wasm [textmerge-wasi.wasm [WASMKIT]]
//        vectors.mjs --write VECTORS.json textmerge-HASH.wasm     writes the results to the file, for review
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { apply, load } from "../notes/text/textmerge.js";

const isWriting = process.argv[2] === "--write";
const [vectorsFile, moduleFile, commandFile, wasmkit = "wasmkit"] = process.argv.slice(isWriting ? 3 : 2);
const vectors = JSON.parse(readFileSync(vectorsFile, "utf8"));
// A long text is stored as a piece and its number of repetitions.
const text = (written) => (typeof written === "string" ? written : written.text.repeat(written.times));
const textmerge = await load(readFileSync(moduleFile));

/** Returns the result of a vector by the given functions for merging, comparing and applying. */
function outcome(vector, { merge, diff, applyString }) {
  switch (vector.kind) {
    case "merge": {
      const { fromTheirs, fromMine } = merge(text(vector.base), text(vector.theirs), text(vector.mine));
      return { fromTheirs, fromMine };
    }
    case "diff":
      return { delta: diff(text(vector.old), text(vector.new)) };
    default:
      try {
        return { text: applyString(text(vector.base), vector.delta) };
      } catch (failure) {
        if (!(failure instanceof RangeError)) throw failure;
        return { failure: failure.message };
      }
  }
}

/** Returns the members of a vector that `outcome` computes. */
const expected = (vector) =>
  vector.kind === "merge"
    ? { fromTheirs: vector.fromTheirs, fromMine: vector.fromMine }
    : vector.kind === "diff"
      ? { delta: vector.delta }
      : "failure" in vector
        ? { failure: vector.failure }
        : { text: vector.text };

if (isWriting) {
  for (const vector of vectors) {
    Object.assign(vector, outcome(vector, textmerge));
    if (vector.kind === "merge" && typeof vector.base === "string") {
      vector.text = apply(vector.mine, vector.fromMine);
    }
  }
  writeFileSync(vectorsFile, `[\n${vectors.map((vector) => JSON.stringify(vector)).join(",\n")}\n]\n`);
  process.exit(0);
}

let failures = 0;

/** Prints the totals and exits. */
function end(engines) {
  console.log(`${vectors.length} vectors ${engines}, ${failures} failures`);
  process.exit(failures ? 1 : 0);
}

function check(engine, vector, found) {
  const [want, have] = [JSON.stringify(expected(vector)), JSON.stringify(found)];
  if (want === have) return;
  failures += 1;
  console.error(`${engine}: ${JSON.stringify(vector).slice(0, 200)}\n  expected ${want}\n  found    ${have}`.slice(0, 2000));
}

for (const vector of vectors) {
  check("node", vector, outcome(vector, textmerge));
  if (vector.kind === "merge") {
    const [mine, theirs] = [apply(text(vector.mine), vector.fromMine), apply(text(vector.theirs), vector.fromTheirs)];
    if (mine !== theirs || ("text" in vector && mine !== vector.text)) failures += 1;
  }
}

if (!commandFile) end(`in node ${process.version}`);

// The command reads all requests at once.
const requests = [];
const collecting = (letter) => (...texts) => {
  requests.push(Buffer.from(letter));
  for (const each of texts) {
    const bytes = Buffer.from(each);
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    requests.push(length, bytes);
  }
  return letter === "m" ? {} : letter === "d" ? [] : "";
};
for (const vector of vectors) {
  outcome(vector, { merge: collecting("m"), diff: collecting("d"), applyString: collecting("a") });
}
const output = execFileSync(wasmkit, ["run", commandFile], {
  input: Buffer.concat(requests), maxBuffer: 1 << 28, stdio: ["pipe", "pipe", "inherit"],
});
let offset = 0;
const next = () => {
  const length = output.readUInt32LE(offset);
  offset += 4 + length;
  return output.toString("utf8", offset - length, offset);
};
const replaying = {
  merge: () => JSON.parse(next()),
  diff: () => JSON.parse(next()),
  applyString() {
    const answer = next();
    if (answer[0] !== "=") throw new RangeError(answer.slice(1));
    return answer.slice(1);
  },
};
for (const vector of vectors) check("wasmkit", vector, outcome(vector, replaying));
if (offset !== output.length) failures += 1;
end(`in node ${process.version} and in wasmkit`);
