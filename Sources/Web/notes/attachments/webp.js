/** WebP files (RFC 9649): a RIFF container of chunks. */

import { isTurned, onlyOrientation, orientationOf } from "./exif.js";
import { latin, Rewriter, viewOf } from "./rewriter.js";

/** @import { Size } from "./pictures.js" */

/** The chunks of image data, which may be cut off. */
const data = new Set(["VP8 ", "VP8L", "ALPH", "ANMF"]);
const kept = new Set([...data, "VP8X", "ICCP", "ANIM"]);
const [hasXMP, hasExif] = [0x04, 0x08];

/**
 * Yields the chunks, with the offsets of their contents and ends. The last one may be cut off.
 * @param {Uint8Array} bytes
 * @returns {Generator<{ kind: string, from: number, body: number, length: number, end: number }>}
 */
function* chunksOf(bytes) {
    const view = viewOf(bytes);
    const until = Math.min(bytes.length, 8 + view.getUint32(4, true));
    let at = 12;
    while (at + 8 <= until) {
        const [kind, length] = [latin(bytes, at, 4), view.getUint32(at + 4, true)];
        const end = at + 8 + length + (length % 2);
        yield { kind, from: at, body: at + 8, length, end };
        at = end;
    }
}

/** Returns the size as shown, or null. @param {Uint8Array} bytes @returns {Size | null} */
export function sizeOfWebP(bytes) {
    if (bytes.length < 12) return null;
    const view = viewOf(bytes);
    /** @type {Size | null} */
    let size = null;
    for (const { kind, body, length } of chunksOf(bytes)) {
        if (kind === "EXIF" && size && isTurned(orientationOf(bytes.subarray(body, body + length))))
            return { width: size.height, height: size.width };
        // The first chunk says the size.
        if (size) continue;
        if (kind === "VP8X" && body + 10 <= bytes.length) {
            const [width, height] = [4, 7].map((at) => 1 + (view.getUint32(body + at - 1, true) >>> 8));
            size = { width, height };
        } else if (kind === "VP8L" && body + 5 <= bytes.length && bytes[body] === 0x2f) {
            const packed = view.getUint32(body + 1, true);
            size = { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) };
        } else if (kind === "VP8 " && body + 10 <= bytes.length && latin(bytes, body + 3, 3) === "\x9d\x01\x2a") {
            const [width, height] = [6, 8].map((at) => view.getUint16(body + at, true) & 0x3fff);
            size = { width, height };
        } else return null;
    }
    return size;
}

/**
 * Returns the file without Exif and XMP, unknown chunks and everything after the container; null without an image.
 * @param {Uint8Array} bytes
 */
export function webpWithoutMetadata(bytes) {
    if (bytes.length < 12) return null;
    const file = new Rewriter(bytes);
    file.keep(0, 12);
    const declared = 8 + viewOf(bytes).getUint32(4, true);
    let [isExtended, hasImage, orientation] = [false, false, 1];
    let removed = 0;
    for (const { kind, from, body, length, end } of chunksOf(bytes)) {
        if (from === 12) isExtended = kind === "VP8X" && length >= 10;
        if (end > bytes.length && !data.has(kind)) break;
        if (data.has(kind)) hasImage = true;
        if (kept.has(kind)) file.keep(from, end);
        else {
            removed += end - from;
            if (kind !== "EXIF" || orientation !== 1) continue;
            orientation = orientationOf(bytes.subarray(body, body + length));
            if (orientation === 1 || !isExtended) continue;
            const block = onlyOrientation(orientation);
            file.put([0x45, 0x58, 0x49, 0x46, block.length, 0, 0, 0]);
            file.put(block);
            removed -= 8 + block.length;
        }
    }
    if (!hasImage) return null;
    const clean = file.end();
    // A file that was cut off stays declared as one.
    const size = declared > bytes.length ? declared - removed : clean.length;
    viewOf(clean).setUint32(4, size - 8, true);
    if (isExtended) clean[20] = (clean[20] & ~(hasXMP | hasExif)) | (orientation === 1 ? 0 : hasExif);
    return clean;
}
