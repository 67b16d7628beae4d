/** Copies the parts of a file that stay. Needs memory for one copy of the file, whatever sizes the file declares. */

/** The number of bytes that a file may grow: a block with only an orientation may replace a shorter one. */
const room = 64;

export class Rewriter {
    #at = 0;
    #out;

    /** @param {Uint8Array} bytes the original file */
    constructor(bytes) {
        this.bytes = bytes;
        this.#out = new Uint8Array(bytes.length + room);
    }

    /** Copies a range of the original file. @param {number} from @param {number} end */
    keep(from, end) {
        this.put(this.bytes.subarray(from, end));
    }

    /** Appends bytes. @param {ArrayLike<number>} bytes */
    put(bytes) {
        this.#out.set(bytes, this.#at);
        this.#at += bytes.length;
    }

    /** Returns the new file. */
    end() {
        return this.#out.slice(0, this.#at);
    }
}

/** Returns a view of bytes, for numbers of several bytes. @param {Uint8Array} bytes */
export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Returns Latin-1 text. @param {Uint8Array} bytes @param {number} from @param {number} length */
export const latin = (bytes, from, length) => String.fromCharCode(...bytes.subarray(from, from + length));

/** Returns true if bytes begin with a Latin-1 text at an offset. @param {Uint8Array} bytes @param {string} text */
export const startsWith = (bytes, text, from = 0) => latin(bytes, from, text.length) === text;
