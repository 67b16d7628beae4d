/** TextMerge for pages, workers and Node: the server's merge as the module that Sources/Web/wasm/build compiles. */

/** @typedef {(number | string)[]} Delta `[12,-3,"new",40]`: retain, delete, insert, retain */

/** The memory above which an instance is replaced, in bytes; memory never shrinks. */
const keptMemory = 16 << 20;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The address of the module, relative to the sources or to the deployed pages. */
export const address = import.meta.url?.replace(/\/(parts|notes\/\w+)\/[^/]+$/, "/notes/text/textmerge.wasm");

/** Loads TextMerge. @param {BufferSource | WebAssembly.Module} [source] the module; by default the deployed one */
export async function load(source) {
    if (source instanceof WebAssembly.Module) return new TextMerge(source);
    return new TextMerge(await (source ? WebAssembly.compile(source) : fetched(address)));
}

/** @param {string} from */
async function fetched(from) {
    const answer = await fetch(from);
    if (!answer.ok) throw new Error(`${from}: ${answer.status}`);
    return WebAssembly.compileStreaming(answer);
}

/** Merges and compares texts. After a trap, a new instance of the module takes over. */
export class TextMerge {
    #module;
    /** @type {any} */
    #wasm;

    /** @param {WebAssembly.Module} module */
    constructor(module) {
        this.#module = module;
        this.#begin();
    }

    /**
     * Returns the deltas from each side to the merged text.
     * @type {(base: string, theirs: string, mine: string) => { fromTheirs: Delta, fromMine: Delta }}
     */
    merge = (base, theirs, mine) => JSON.parse(this.#call("textmerge_merge", base, theirs, mine));

    /**
     * Returns the delta from one text to another.
     * @type {(from: string, to: string) => Delta}
     */
    diff = (from, to) => JSON.parse(this.#call("textmerge_diff", from, to));

    /**
     * Applies a delta string such as `=12\t-3\t+new` to a base text.
     * @type {(base: string, delta: string) => string}
     */
    applyString = (base, delta) => {
        const answer = this.#call("textmerge_apply", base, delta);
        if (answer[0] !== "=") throw new RangeError(answer.slice(1));
        return answer.slice(1);
    };

    #begin() {
        const random = (/** @type {number} */ start, /** @type {number} */ count) => {
            crypto.getRandomValues(new Uint8Array(this.#wasm.memory.buffer, start, count));
        };
        this.#wasm = new WebAssembly.Instance(this.#module, { env: { random } }).exports;
    }

    /**
     * Returns the module's answer. A call that trapped is retried with a new instance, whose memory is intact.
     * @param {string} name @param {string[]} texts
     */
    #call(name, ...texts) {
        if (!texts.every((text) => text.isWellFormed())) {
            throw new TypeError("A text with a lone surrogate can't be merged");
        }
        const bytes = texts.map((text) => encoder.encode(text));
        try {
            return this.#callOnce(name, bytes);
        } catch {
            this.#begin();
        }
        try {
            return this.#callOnce(name, bytes);
        } catch (failure) {
            this.#begin();
            throw failure;
        }
    }

    /** @param {string} name @param {Uint8Array[]} texts */
    #callOnce(name, texts) {
        const wasm = this.#wasm;
        const places = texts.flatMap((bytes) => {
            const start = wasm.malloc(bytes.length);
            if (!start) throw new RangeError("Out of memory");
            // Memory may have grown and moved, so create the view now.
            new Uint8Array(wasm.memory.buffer, start, bytes.length).set(bytes);
            return [start, bytes.length];
        });
        const answer = wasm[name](...places);
        for (let index = 0; index < places.length; index += 2) wasm.free(places[index]);
        const length = new DataView(wasm.memory.buffer).getUint32(answer, true);
        const text = decoder.decode(new Uint8Array(wasm.memory.buffer, answer + 4, length));
        wasm.free(answer);
        if (wasm.memory.buffer.byteLength > keptMemory) this.#begin();
        return text;
    }
}

/** Applies a delta to a text, without the module. @param {string} text @param {Delta} delta */
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
