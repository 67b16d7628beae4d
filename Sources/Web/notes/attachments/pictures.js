/** The pictures that are shown: their types by first bytes, their sizes, and their removal of metadata. */

import { avifWithoutMetadata, sizeOfAVIF } from "./avif.js";
import { gifWithoutMetadata, sizeOfGIF } from "./gif.js";
import { jpegWithoutMetadata, sizeOfJPEG } from "./jpeg.js";
import { pngWithoutMetadata, sizeOfPNG } from "./png.js";
import { startsWith } from "./rewriter.js";
import { sizeOfWebP, webpWithoutMetadata } from "./webp.js";

/** A size in pixels, as shown: after the picture is turned. @typedef {{ width: number, height: number }} Size */
/** @typedef {"image/png" | "image/jpeg" | "image/gif" | "image/webp" | "image/avif"} PictureType */

/** @type {Record<PictureType, { extension: string, sizeOf: (bytes: Uint8Array) => Size | null, clean: (bytes: Uint8Array) => Uint8Array<ArrayBuffer> | null }>} */
const formats = {
    "image/png": { extension: "png", sizeOf: sizeOfPNG, clean: pngWithoutMetadata },
    "image/jpeg": { extension: "jpg", sizeOf: sizeOfJPEG, clean: jpegWithoutMetadata },
    "image/gif": { extension: "gif", sizeOf: sizeOfGIF, clean: gifWithoutMetadata },
    "image/webp": { extension: "webp", sizeOf: sizeOfWebP, clean: webpWithoutMetadata },
    "image/avif": { extension: "avif", sizeOf: sizeOfAVIF, clean: avifWithoutMetadata },
};

/**
 * Returns the type by the first bytes, like the server; null for other files.
 * @param {Uint8Array} bytes at least the first 12
 * @returns {PictureType | null}
 */
export function pictureType(bytes) {
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n")) return "image/png";
    if (startsWith(bytes, "\xff\xd8\xff")) return "image/jpeg";
    if (startsWith(bytes, "GIF87a") || startsWith(bytes, "GIF89a")) return "image/gif";
    if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8)) return "image/webp";
    const isAVIF = startsWith(bytes, "ftyp", 4) && (startsWith(bytes, "avif", 8) || startsWith(bytes, "avis", 8));
    return isAVIF ? "image/avif" : null;
}

/** Returns the size, or null if the file is no picture or does not say it. @param {Uint8Array} bytes @returns {Size | null} */
export function pictureSize(bytes) {
    const type = pictureType(bytes);
    const size = type && formats[type].sizeOf(bytes);
    return size && size.width > 0 && size.height > 0 ? size : null;
}

/**
 * Returns the picture without location, camera data, texts and thumbnails. Segments are left out, and nothing is encoded
 * anew: pixels, colours, animation and orientation stay. A picture that was cut off is cleaned as far as it goes.
 *
 * Returns null for other files, and for a picture whose structure is damaged: such a file may hold a location, and only
 * its owner can decide to store it.
 * @param {Uint8Array} bytes
 */
export function withoutMetadata(bytes) {
    const type = pictureType(bytes);
    return type && formats[type].clean(bytes);
}

/** Returns the extension of a picture's name. @param {PictureType} type */
export const extensionOf = (type) => formats[type].extension;
