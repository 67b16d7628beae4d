/** Exif blocks (CIPA DC-008): reads the orientation, and writes blocks with nothing else. */

import { startsWith, viewOf } from "./rewriter.js";

const orientationTag = 0x0112;
const shortType = 3;

/**
 * Returns the orientation, from 1 to 8, or 1 if the block has none.
 * @param {Uint8Array} block a TIFF header with its directories, or the same after `Exif` and two zeros
 */
export function orientationOf(block) {
    const tiff = startsWith(block, "Exif\0\0") ? block.subarray(6) : block;
    const isLittle = startsWith(tiff, "II*\0");
    if (tiff.length < 8 || !(isLittle || startsWith(tiff, "MM\0*"))) return 1;
    const view = viewOf(tiff);
    const from = view.getUint32(4, isLittle);
    if (from + 2 > tiff.length) return 1;
    const count = view.getUint16(from, isLittle);
    for (let at = from + 2; at < from + 2 + 12 * count && at + 12 <= tiff.length; at += 12) {
        if (view.getUint16(at, isLittle) !== orientationTag) continue;
        const value = view.getUint16(at + 8, isLittle);
        return view.getUint16(at + 2, isLittle) === shortType && value >= 1 && value <= 8 ? value : 1;
    }
    return 1;
}

/** Returns a TIFF header with a directory that has only the orientation. @param {number} orientation */
export const onlyOrientation = (orientation) =>
    Uint8Array.of(
        ...[0x49, 0x49, 0x2a, 0, 8, 0, 0, 0, 1, 0],
        ...[0x12, 0x01, shortType, 0, 1, 0, 0, 0, orientation, 0, 0, 0],
        ...[0, 0, 0, 0],
    );

/** Returns true if a picture with this orientation is shown with its sides exchanged. @param {number} orientation */
export const isTurned = (orientation) => orientation >= 5;
