/**
 * AVIF files (ISO 23008-12, ISO 14496-12): boxes, and items whose bytes are anywhere in the file. Metadata is overwritten
 * in its place, because the offsets of the image's own bytes would move. The orientation is a property of the image.
 */

import { onlyOrientation, orientationOf } from "./exif.js";
import { latin, startsWith, viewOf } from "./rewriter.js";

/** @import { Size } from "./pictures.js" */

/** A box from its header to its end. @typedef {{ kind: string, from: number, body: number, end: number }} Box */
/** A range of an item's bytes. @typedef {{ from: number, length: number }} Extent */

/** A file whose boxes contradict each other. */
class Damaged extends Error {}

/** Reads numbers in big endian within a box. */
class Numbers {
    /** @param {Uint8Array} bytes @param {number} at @param {number} end */
    constructor(bytes, at, end) {
        this.view = viewOf(bytes);
        this.at = at;
        this.end = end;
    }

    /** @param {number} size 0, 1, 2, 4 or 8 bytes */
    next(size) {
        const at = this.at;
        this.at += size;
        if (this.at > this.end) throw new Damaged();
        if (size === 0) return 0;
        if (size === 1) return this.view.getUint8(at);
        if (size === 2) return this.view.getUint16(at);
        if (size === 4) return this.view.getUint32(at);
        if (size === 8) return Number(this.view.getBigUint64(at));
        throw new Damaged();
    }
}

/** Yields the boxes in a range. @param {Uint8Array} bytes @param {number} start @param {number} until @returns {Generator<Box>} */
function* boxes(bytes, start, until) {
    let from = start;
    while (from < until) {
        const numbers = new Numbers(bytes, from, until);
        const short = numbers.next(4);
        numbers.next(4);
        const length = short === 1 ? numbers.next(8) : short === 0 ? until - from : short;
        const [body, end] = [numbers.at, from + length];
        if (length < body - from || end > until) throw new Damaged();
        yield { kind: latin(bytes, from + 4, 4), from, body, end };
        from = end;
    }
}

/** Returns the boxes of a kind. @param {Uint8Array} bytes @param {number} from @param {number} end @param {string} kind */
const boxesOf = (bytes, from, end, kind) => [...boxes(bytes, from, end)].filter((box) => box.kind === kind);

/** Returns the size as shown: that of the largest image, or null. @param {Uint8Array} bytes @returns {Size | null} */
export function sizeOfAVIF(bytes) {
    /** @type {Size | null} */
    let size = null;
    let isTurned = false;
    try {
        for (const meta of boxesOf(bytes, 0, bytes.length, "meta"))
            for (const iprp of boxesOf(bytes, meta.body + 4, meta.end, "iprp"))
                for (const ipco of boxesOf(bytes, iprp.body, iprp.end, "ipco"))
                    for (const { kind, body, end } of boxes(bytes, ipco.body, ipco.end)) {
                        const numbers = new Numbers(bytes, body, end);
                        if (kind === "irot") isTurned = numbers.next(1) % 2 === 1;
                        if (kind !== "ispe") continue;
                        numbers.next(4);
                        const [width, height] = [numbers.next(4), numbers.next(4)];
                        if (!size || width * height > size.width * size.height) size = { width, height };
                    }
    } catch (failure) {
        if (!(failure instanceof Damaged)) throw failure;
    }
    return size && isTurned ? { width: size.height, height: size.width } : size;
}

/** Returns the file without Exif, XMP and user data, of the same length; null if its boxes are damaged. @param {Uint8Array} bytes */
export function avifWithoutMetadata(bytes) {
    const clean = bytes.slice();
    try {
        cleanBoxes(clean, 0, clean.length);
        return clean;
    } catch (failure) {
        if (failure instanceof Damaged) return null;
        throw failure;
    }
}

/** @param {Uint8Array} bytes @param {number} start @param {number} until */
function cleanBoxes(bytes, start, until) {
    for (const { kind, from, body, end } of boxes(bytes, start, until)) {
        if (kind === "moov" || kind === "trak") cleanBoxes(bytes, body, end);
        else if (kind === "meta") cleanItems(bytes, body + 4, end);
        else if (kind === "udta" || kind === "uuid") {
            bytes.set(new TextEncoder().encode("free"), from + 4);
            bytes.fill(0, body, end);
        }
    }
}

/** Overwrites the items that hold metadata. @param {Uint8Array} bytes @param {number} start @param {number} until */
function cleanItems(bytes, start, until) {
    const inner = [...boxes(bytes, start, until)];
    const ids = new Set(inner.filter(({ kind }) => kind === "iinf").flatMap((box) => metadataItems(bytes, box)));
    if (ids.size === 0) return;
    const inline = inner.find(({ kind }) => kind === "idat");
    let room = bytes.length;
    for (const box of inner.filter(({ kind }) => kind === "iloc"))
        for (const { id, extents } of locations(bytes, box, inline)) {
            if (!ids.has(id)) continue;
            for (const { from, length } of extents) {
                room -= length;
                // Items that together are longer than the file would take time without end.
                if (length === 0 || from + length > bytes.length || room < 0) throw new Damaged();
                overwrite(bytes.subarray(from, from + length));
            }
        }
}

/** Overwrites an item. Exif becomes a block with only the orientation, which readers accept. @param {Uint8Array} item */
function overwrite(item) {
    const isExif = item.length > 8 && viewOf(item).getUint32(0) <= item.length - 8;
    const tiff = isExif ? item.subarray(4 + viewOf(item).getUint32(0)) : item;
    const block = onlyOrientation(orientationOf(tiff));
    const isWritten = isExif && (startsWith(tiff, "II*\0") || startsWith(tiff, "MM\0*"));
    item.fill(0);
    if (isWritten && item.length >= 4 + block.length) item.set(block, 4);
}

/** Returns the ids of the items with metadata. @param {Uint8Array} bytes @param {Box} iinf @returns {number[]} */
function metadataItems(bytes, iinf) {
    const version = new Numbers(bytes, iinf.body, iinf.end).next(4) >>> 24;
    return boxesOf(bytes, iinf.body + (version === 0 ? 6 : 8), iinf.end, "infe").flatMap(({ body, end }) => {
        const numbers = new Numbers(bytes, body, end);
        const version = numbers.next(4) >>> 24;
        const id = numbers.next(version === 3 ? 4 : 2);
        numbers.next(2);
        const kind = version < 2 ? "mime" : latin(bytes, numbers.at, 4);
        return kind === "Exif" || kind === "mime" ? id : [];
    });
}

/**
 * Yields the places of items within the file.
 * @param {Uint8Array} bytes
 * @param {Box} iloc
 * @param {Box | undefined} inline the box of the items that are in `meta` itself
 * @returns {Generator<{ id: number, extents: Extent[] }>}
 */
function* locations(bytes, iloc, inline) {
    const numbers = new Numbers(bytes, iloc.body, iloc.end);
    const version = numbers.next(4) >>> 24;
    const [sizes, others] = [numbers.next(1), numbers.next(1)];
    const [offsetSize, lengthSize, baseSize] = [sizes >> 4, sizes & 15, others >> 4];
    const indexSize = version === 0 ? 0 : others & 15;
    for (let count = numbers.next(version < 2 ? 2 : 4); count > 0; count -= 1) {
        const id = numbers.next(version < 2 ? 2 : 4);
        const method = version === 0 ? 0 : numbers.next(2) & 15;
        const isElsewhere = numbers.next(2) !== 0;
        if (method === 1 && !inline) throw new Damaged();
        const base = numbers.next(baseSize) + (method === 1 && inline ? inline.body : 0);
        /** @type {Extent[]} */
        const extents = [];
        for (let left = numbers.next(2); left > 0; left -= 1) {
            numbers.next(indexSize);
            const from = base + numbers.next(offsetSize);
            // Bytes of another file, or parts of another item, are not here to be overwritten.
            extents.push({ from, length: isElsewhere || method > 1 ? 0 : numbers.next(lengthSize) });
            if (isElsewhere || method > 1) numbers.next(lengthSize);
        }
        yield { id, extents };
    }
}
