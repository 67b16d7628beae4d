// TextMerge in a page or in Node: the same merge as the server's, of the module that deploy/wasm/build makes.

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * A TextMerge, ready. After an exception make a new one: a trap ends the instance.
 * @param {BufferSource | WebAssembly.Module} source
 */
export async function load(source) {
  const module = source instanceof WebAssembly.Module ? source : await WebAssembly.compile(source);
  /** @type {any} */
  let wasm;
  const random = (/** @type {number} */ start, /** @type {number} */ count) => {
    crypto.getRandomValues(new Uint8Array(wasm.memory.buffer, start, count));
  };
  wasm = (await WebAssembly.instantiate(module, { env: { random } })).exports;

  /** Calls with texts, and gives the text of the answer. */
  const call = (/** @type {(...places: number[]) => number} */ called, /** @type {string[]} */ ...texts) => {
    const places = texts.flatMap((text) => {
      if (!text.isWellFormed()) throw new TypeError("A text with a lone surrogate can't be merged");
      const bytes = encoder.encode(text);
      const start = wasm.malloc(bytes.length);
      if (!start) throw new RangeError("Too little memory");
      // A view of now: memory may have grown and moved.
      new Uint8Array(wasm.memory.buffer, start, bytes.length).set(bytes);
      return [start, bytes.length];
    });
    const answer = called(...places);
    for (let index = 0; index < places.length; index += 2) wasm.free(places[index]);
    const length = new DataView(wasm.memory.buffer).getUint32(answer, true);
    const text = decoder.decode(new Uint8Array(wasm.memory.buffer, answer + 4, length));
    wasm.free(answer);
    return text;
  };

  return {
    /**
     * What either side is missing of both sides' changes.
     * @param {string} base @param {string} theirs @param {string} mine
     * @returns {{ fromTheirs: (number | string)[], fromMine: (number | string)[] }}
     */
    merge: (base, theirs, mine) => JSON.parse(call(wasm.textmerge_merge, base, theirs, mine)),
    /**
     * The delta that makes one text of another.
     * @param {string} from @param {string} to @returns {(number | string)[]}
     */
    diff: (from, to) => JSON.parse(call(wasm.textmerge_diff, from, to)),
    /**
     * The text that a delta string such as `=12\t-3\t+new` makes of a base text.
     * @param {string} base @param {string} delta @returns {string}
     */
    applyString(base, delta) {
      const answer = call(wasm.textmerge_apply, base, delta);
      if (answer[0] !== "=") throw new RangeError(answer.slice(1));
      return answer.slice(1);
    },
  };
}

/**
 * Applies a delta to a text, without the module.
 * @param {string} text @param {(number | string)[]} delta
 */
export function apply(text, delta) {
  let [result, offset] = ["", 0];
  for (const part of delta) {
    if (typeof part === "string") result += part;
    else {
      if (part > 0) result += text.slice(offset, offset + part);
      offset += Math.abs(part);
    }
  }
  return result;
}
