/** PNG files (W3C PNG 3): chunks with a length, a type and a checksum. */

import { crc32 } from "../../shared/crc32.js";
import { isTurned, onlyOrientation, orientationOf } from "./exif.js";
import { latin, Rewriter, viewOf } from "./rewriter.js";

/** @import { Size } from "./pictures.js" */

/** The chunks that an image is decoded and shown with. */
const kept = new Set(
    ["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "cHRM", "gAMA", "iCCP", "sBIT", "sRGB", "cICP", "mDCV", "cLLI"].concat([
        ...["bKGD", "hIST", "pHYs", "sPLT", "acTL", "fcTL", "fdAT"],
    ]),
);
/** The chunks of image data, which may be cut off. */
const isData = (/** @type {string} */ kind) => kind === "IDAT" || kind === "fdAT";

/**
 * Yields the chunks, with the offsets of their contents and ends. The last one may be cut off.
 * @param {Uint8Array} bytes
 * @returns {Generator<{ kind: string, from: number, body: number, length: number, end: number }>}
 */
function* chunksOf(bytes) {
    const view = viewOf(bytes);
    let at = 8;
    while (at + 8 <= bytes.length) {
        const [length, kind] = [view.getUint32(at), latin(bytes, at + 4, 4)];
        const end = at + 12 + length;
        yield { kind, from: at, body: at + 8, length, end };
        if (kind === "IEND") return;
        at = end;
    }
}

/** Returns the size as shown, or null. @param {Uint8Array} bytes @returns {Size | null} */
export function sizeOfPNG(bytes) {
    /** @type {Size | null} */
    let size = null;
    for (const { kind, body, length, end } of chunksOf(bytes)) {
        if (end > bytes.length && !isData(kind)) break;
        if (!size) {
            if (kind !== "IHDR" || length !== 13) return null;
            size = { width: viewOf(bytes).getUint32(body), height: viewOf(bytes).getUint32(body + 4) };
        }
        if (kind === "IDAT") break;
        if (kind === "eXIf" && isTurned(orientationOf(bytes.subarray(body, body + length))))
            return { width: size.height, height: size.width };
    }
    return size;
}

/**
 * Returns the file without texts, times, camera data and everything after the image; null without an image.
 * @param {Uint8Array} bytes
 */
export function pngWithoutMetadata(bytes) {
    const file = new Rewriter(bytes);
    file.keep(0, 8);
    let [isFirst, hasImage, hasExif] = [true, false, false];
    for (const { kind, from, body, length, end } of chunksOf(bytes)) {
        if (isFirst && kind !== "IHDR") return null;
        isFirst = false;
        if (end > bytes.length && !isData(kind)) break;
        if (kind === "IDAT") hasImage = true;
        if (kept.has(kind)) file.keep(from, end);
        else if (kind === "eXIf" && !hasExif) {
            hasExif = true;
            const orientation = orientationOf(bytes.subarray(body, body + length));
            if (orientation !== 1) file.put(chunk("eXIf", onlyOrientation(orientation)));
        }
    }
    return hasImage ? file.end() : null;
}

/** @param {string} kind @param {Uint8Array} content */
function chunk(kind, content) {
    const bytes = new Uint8Array(12 + content.length);
    const view = viewOf(bytes);
    view.setUint32(0, content.length);
    bytes.set(new TextEncoder().encode(kind), 4);
    bytes.set(content, 8);
    view.setUint32(8 + content.length, crc32(bytes.subarray(4, 8 + content.length)));
    return bytes;
}
