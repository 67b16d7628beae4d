// Runs recorded cases in Node, and holds the module to what they say.
//
// Usage: cases.mjs targeting.wasm CASES.jsonl...
import { readFileSync } from "node:fs";

const [moduleFile, ...files] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(moduleFile));

/** A module of its own, and what its toolchain has no library for: numbers in texts, remainders, long products. */
async function load() {
  let wasm;
  const env = {
    random: (start, count) => crypto.getRandomValues(new Uint8Array(wasm.memory.buffer, start, count)),
    round: (value) => Math.trunc(value) + (Math.abs(value % 1) >= 0.5 ? Math.sign(value) : 0),
    fmod: (value, by) => value % by,
    __multi3(result, lowOne, highOne, lowOther, highOther) {
      const whole = (low, high) => (BigInt.asIntN(64, high) << 64n) | BigInt.asUintN(64, low);
      const product = BigInt.asUintN(128, whole(lowOne, highOne) * whole(lowOther, highOther));
      const view = new DataView(wasm.memory.buffer);
      view.setBigUint64(result, BigInt.asUintN(64, product), true);
      view.setBigUint64(result + 8, product >> 64n, true);
    },
    _swift_stdlib_strtod_clocale(start, result) {
      const bytes = new Uint8Array(wasm.memory.buffer);
      const end = bytes.indexOf(0, start);
      const value = Number(new TextDecoder().decode(bytes.slice(start, end)));
      new DataView(wasm.memory.buffer).setFloat64(result, value, true);
      return Number.isNaN(value) ? 0 : end;
    },
  };
  wasm = (await WebAssembly.instantiate(module, { env })).exports;
  return wasm;
}

let wrong = 0;
for (const file of files) {
  const wasm = await load();
  const lines = readFileSync(file, "utf8").split("\n").filter((line) => line !== "");
  for (const line of lines) {
    // Where the reference fails with an error of its own, nothing is said.
    const { expected, corrected } = JSON.parse(line);
    if (expected && "crash" in (corrected ?? expected)) continue;
    const bytes = new TextEncoder().encode(line);
    const start = wasm.malloc(bytes.length);
    new Uint8Array(wasm.memory.buffer, start, bytes.length).set(bytes);
    const isSame = wasm.targeting_case(start, bytes.length);
    wasm.free(start);
    if (isSame) continue;
    wrong += 1;
    console.error(`${file}: ${line}`.slice(0, 1000));
  }
  console.log(`${file}: ${lines.length - 1} cases`);
}
process.exit(wrong === 0 ? 0 : 1);
