/** Draws pictures on a canvas: smaller previews, and JPEG from formats that other browsers cannot show. */

import { maxPixels } from "./references.js";

/** The limit on a preview's bytes, and on its sides in pixels, the first that fits being taken. */
const maxBytes = 512 << 10;
const sides = [1600, 1200, 800, 400];
const quality = 0.8;

/**
 * Returns a smaller form of a picture, or null if the browser can't draw it.
 * @param {ArrayBuffer} bytes
 * @param {string} type
 */
export async function previewOf(bytes, type) {
    const picture = await decoded(new Blob([bytes], { type }));
    if (!picture) return null;
    try {
        for (const side of sides) {
            const scale = Math.min(1, side / Math.max(picture.width, picture.height));
            const preview = await drawn(picture, scale, "image/webp");
            if (preview.size <= maxBytes) return await preview.arrayBuffer();
        }
        return null;
    } finally {
        picture.close();
    }
}

/** Returns a file such as HEIC as JPEG, or null if the browser can't draw it. @param {Blob} file */
export async function pictureAsJPEG(file) {
    const picture = await decoded(file);
    if (!picture) return null;
    try {
        return await (await drawn(picture, 1, "image/jpeg")).arrayBuffer();
    } finally {
        picture.close();
    }
}

/** Returns a picture's pixels, or null if the browser can't read it or it is too large. @param {Blob} file */
async function decoded(file) {
    const picture = await createImageBitmap(file).catch(() => null);
    if (!picture || picture.width * picture.height <= maxPixels) return picture;
    picture.close();
    return null;
}

/**
 * @param {ImageBitmap} picture
 * @param {number} scale
 * @param {string} type
 */
async function drawn(picture, scale, type) {
    const [width, height] = [picture.width, picture.height].map((side) => Math.max(1, Math.round(side * scale)));
    const canvas = new OffscreenCanvas(width, height);
    const context = /** @type {OffscreenCanvasRenderingContext2D} */ (canvas.getContext("2d"));
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, 0, 0, width, height);
    const blob = await canvas.convertToBlob({ type, quality });
    if (blob.type === type) return blob;
    // Safari writes no WebP, and JPEG has no transparency.
    context.globalCompositeOperation = "destination-over";
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    return await canvas.convertToBlob({ type: "image/jpeg", quality });
}
