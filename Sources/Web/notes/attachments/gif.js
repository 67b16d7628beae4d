/** GIF files (GIF89a): a screen, and blocks with sub-blocks. */

import { latin, Rewriter, viewOf } from "./rewriter.js";

/** @import { Size } from "./pictures.js" */

const [extension, image, trailer] = [0x21, 0x2c, 0x3b];
const [comment, application] = [0xfe, 0xff];
/** The application extensions that an image is shown with: repetition, and the profile of colours. */
const kept = new Set(["NETSCAPE2.0", "ANIMEXTS1.0", "ICCRGBG1012"]);

/** Returns the length of a colour table. @param {number} flags */
const tableLength = (flags) => (flags & 0x80 ? 3 << ((flags & 7) + 1) : 0);

/** Returns the offset after sub-blocks, or a place after the file's end. @param {Uint8Array} bytes @param {number} from */
function endOfBlocks(bytes, from) {
    let at = from;
    while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes[at];
    return at + 1;
}

/**
 * Yields the blocks. The last one may be cut off.
 * @param {Uint8Array} bytes
 * @returns {Generator<{ kind: number, label: number, from: number, end: number }>}
 */
function* blocks(bytes) {
    let at = 13 + tableLength(bytes[10]);
    while (at < bytes.length) {
        const [kind, label] = [bytes[at], bytes[at + 1]];
        if (kind !== extension && kind !== image) {
            if (kind === trailer) yield { kind, label, from: at, end: at + 1 };
            return;
        }
        const data = kind === extension ? at + 2 : at + 11 + tableLength(bytes[at + 9]);
        const end = endOfBlocks(bytes, data);
        yield { kind, label, from: at, end };
        at = end;
    }
}

/** Returns the size of the screen, or of a first image beyond it; null without one. @param {Uint8Array} bytes @returns {Size | null} */
export function sizeOfGIF(bytes) {
    if (bytes.length < 13) return null;
    const view = viewOf(bytes);
    const [width, height] = [6, 8].map((at) => view.getUint16(at, true));
    for (const { kind, from } of blocks(bytes)) {
        if (kind !== image || from + 10 > bytes.length) continue;
        const [left, top, across, down] = [1, 3, 5, 7].map((at) => view.getUint16(from + at, true));
        return { width: Math.max(width, left + across), height: Math.max(height, top + down) };
    }
    return { width, height };
}

/**
 * Returns the file without comments, the data of programs and everything after the images; null without an image.
 * @param {Uint8Array} bytes
 */
export function gifWithoutMetadata(bytes) {
    if (bytes.length < 13) return null;
    const file = new Rewriter(bytes);
    file.keep(0, 13 + tableLength(bytes[10]));
    let hasImage = false;
    for (const { kind, label, from, end } of blocks(bytes)) {
        if (kind === image) hasImage = true;
        const isRemoved =
            kind === extension &&
            (label === comment || (label === application && !kept.has(latin(bytes, from + 3, 11))));
        if (!isRemoved) file.keep(from, end);
    }
    return hasImage ? file.end() : null;
}
