/** JPEG files (ITU-T T.81): segments up to the end of the image. */

import { isTurned, onlyOrientation, orientationOf } from "./exif.js";
import { Rewriter, startsWith, viewOf } from "./rewriter.js";

/** @import { Size } from "./pictures.js" */

const [startOfScan, endOfImage, app0, app1, app2, app14, app15, comment] = [
    ...[0xda, 0xd9, 0xe0, 0xe1, 0xe2, 0xee, 0xef, 0xfe],
];

/** A segment from its marker to its end; `body` is the offset after its length. */
/** @typedef {{ kind: number, from: number, body: number, end: number }} Segment */

/**
 * Returns the place of the next marker, whose second byte is at `at + 1`, or the file's end. Inside of a scan, zeros
 * and restart markers belong to the image's data.
 * @param {Uint8Array} bytes
 * @param {number} from
 */
function nextMarker(bytes, from) {
    for (let at = bytes.indexOf(0xff, from); at >= 0; at = bytes.indexOf(0xff, at + 1)) {
        const kind = bytes[at + 1];
        if (kind === undefined) break;
        if (kind !== 0 && kind !== 0xff && !(kind >= 0xd0 && kind <= 0xd7) && kind !== 0x01) return at;
    }
    return bytes.length;
}

/**
 * Yields the segments. A file that was cut off ends without an end of its image.
 * @param {Uint8Array} bytes
 * @returns {Generator<Segment>}
 */
function* segments(bytes) {
    let at = nextMarker(bytes, 2);
    while (at < bytes.length) {
        const kind = bytes[at + 1];
        if (kind === endOfImage) return yield { kind, from: at, body: at + 2, end: at + 2 };
        const length = at + 4 <= bytes.length ? (bytes[at + 2] << 8) | bytes[at + 3] : 0;
        const end = at + 2 + length;
        if (length < 2 || end > bytes.length) return;
        // The data of a scan follows its header, without a length.
        const until = kind === startOfScan ? nextMarker(bytes, end) : end;
        yield { kind, from: at, body: at + 4, end: until };
        at = nextMarker(bytes, until);
    }
}

/** @param {Uint8Array} bytes @param {Segment} segment */
const isExif = (bytes, { kind, body }) => kind === app1 && startsWith(bytes, "Exif\0\0", body);

/** Returns true for segments that an image is decoded with. @param {Uint8Array} bytes @param {Segment} segment */
function isPartOfImage(bytes, { kind, body }) {
    if (kind === app0) return startsWith(bytes, "JFIF\0", body);
    if (kind === app2) return startsWith(bytes, "ICC_PROFILE\0", body);
    if (kind === app14) return startsWith(bytes, "Adobe", body);
    return kind < app0 || (kind > app15 && kind !== comment);
}

/** Returns the size as shown, or null. @param {Uint8Array} bytes @returns {Size | null} */
export function sizeOfJPEG(bytes) {
    const view = viewOf(bytes);
    let orientation = 1;
    for (const segment of segments(bytes)) {
        const { kind, body, end } = segment;
        if (isExif(bytes, segment) && orientation === 1) orientation = orientationOf(bytes.subarray(body, end));
        const isFrame = kind >= 0xc0 && kind <= 0xcf && kind !== 0xc4 && kind !== 0xc8 && kind !== 0xcc;
        if (!isFrame) continue;
        if (end - body < 6) return null;
        const [height, width] = [view.getUint16(body + 1), view.getUint16(body + 3)];
        return isTurned(orientation) ? { width: height, height: width } : { width, height };
    }
    return null;
}

/**
 * Returns the file without camera data, thumbnails, comments and everything after the image; null without an image. The
 * profile of its colours and its orientation stay.
 * @param {Uint8Array} bytes
 */
export function jpegWithoutMetadata(bytes) {
    const file = new Rewriter(bytes);
    file.keep(0, 2);
    let [hasImage, hasExif] = [false, false];
    for (const segment of segments(bytes)) {
        const { kind, from, body, end } = segment;
        if (kind === startOfScan) hasImage = true;
        if (isPartOfImage(bytes, segment)) file.keep(from, end);
        else if (isExif(bytes, segment) && !hasExif) {
            hasExif = true;
            const orientation = orientationOf(bytes.subarray(body, end));
            const block = onlyOrientation(orientation);
            if (orientation === 1) continue;
            file.put([0xff, app1, 0, 8 + block.length, ...[..."Exif\0\0"].map((sign) => sign.charCodeAt(0))]);
            file.put(block);
        }
    }
    return hasImage ? file.end() : null;
}
