/** Adds files to an account's attachments, and reads them. */

import { pictureAsJPEG, previewOf } from "./drawing.js";
import { extensionOf, pictureSize, pictureType, withoutMetadata } from "./pictures.js";
import { attachmentID, maxPixels } from "./references.js";

/** @import { Content } from "./attachment-cache.js" */
/** @import { Attachment, Part } from "./attachment-view.js" */
/** @import { GivenFile } from "./attachments.js" */

/**
 * The required methods of the engine.
 * @typedef {object} Keeper
 * @property {(given: GivenFile) => Promise<void>} attach
 * @property {(id: string) => Promise<Attachment | null>} attachment
 * @property {(id: string, part: Part) => Promise<Content | null>} attachmentContent
 */

/**
 * An added file. `note` says what the user should know: a picture stays a file because no browser here can show it
 * (`unshown`), or because it has too many pixels (`large`).
 * @typedef {{ id: string, name: string, isPicture: boolean, note: "unshown" | "large" | null }} Added
 */

/** The largest file that any server accepts, and the size of a picture that is its own preview, in bytes. */
const [maxFile, maxWithoutPreview] = [100 << 20, 512 << 10];
/** The limit on a name, in bytes. */
const maxName = 255;
/** The formats of phones that only some browsers can show. */
const foreign = /^image\/hei[cf]|\.hei[cf]$/i;

/** A file that can't be added: empty, above the limit, or a picture whose metadata can't be removed. */
export class Unfit extends Error {
    /** @param {"empty" | "large" | "damaged"} reason */
    constructor(reason) {
        super(reason);
        this.reason = reason;
    }
}

/**
 * Adds a file, which is on disk when the promise resolves. Removes location and camera data from pictures.
 * @param {Keeper} engine
 * @param {{ bytes: ArrayBuffer, type: string, name: string, id?: string }} given
 * @param {{ asFile?: boolean }} [form] `asFile` adds a damaged picture as it is, as a file
 * @returns {Promise<Added>}
 */
export async function addFile(engine, { bytes, type, name, id = newID() }, { asFile = false } = {}) {
    if (bytes.byteLength === 0) throw new Unfit("empty");
    if (bytes.byteLength > maxFile) throw new Unfit("large");
    if (asFile) return await added(engine, { id, bytes, type, name });
    const isForeign = foreign.test(type) || foreign.test(name);
    const converted = isForeign ? await pictureAsJPEG(new Blob([bytes], { type })) : null;
    if (isForeign && !converted) return { ...(await added(engine, { id, bytes, type, name })), note: "unshown" };
    const picture = new Uint8Array(converted ?? bytes);
    const shown = pictureType(picture);
    if (!shown) return await added(engine, { id, bytes, type, name });
    const clean = withoutMetadata(picture);
    if (!clean) throw new Unfit("damaged");
    const size = pictureSize(clean);
    const file = clean.byteLength === clean.buffer.byteLength ? clean.buffer : clean.slice().buffer;
    const named = { id, bytes: file, type: shown, name: converted ? name.replace(/(\.\w+)?$/, ".jpg") : name };
    if (!size || size.width * size.height > maxPixels) return { ...(await added(engine, named)), note: "large" };
    const preview = file.byteLength > maxWithoutPreview ? await previewOf(file, shown) : null;
    return await added(engine, { ...named, name: nameOf(named.name, shown), ...size, preview, isPicture: true });
}

/**
 * Returns the bytes of an attachment, from the disk or the server, or undefined if they can't be read now.
 * @param {Keeper} engine
 * @param {string} id
 */
export async function readFile(engine, id) {
    const [attachment, content] = [await engine.attachment(id), await engine.attachmentContent(id, "file")];
    if (!attachment || !content) return undefined;
    return { bytes: await new Blob(content.pieces).arrayBuffer(), type: attachment.type, name: attachment.name };
}

/**
 * @param {Keeper} engine
 * @param {{ id: string, bytes: ArrayBuffer, type: string, name: string, width?: number, height?: number,
 *     preview?: ArrayBuffer | null, isPicture?: boolean }} file
 * @returns {Promise<Added>}
 */
async function added(engine, { id, bytes, type, name, width, height, preview = null, isPicture = false }) {
    const fitting = { id, name: fittingName(name), type: type || "application/octet-stream" };
    // The server accepts sides up to 65,535 pixels.
    const isSaid = width !== undefined && height !== undefined && Math.max(width, height) < 1 << 16;
    const size = isSaid ? { width, height } : { width: null, height: null };
    await engine.attach({ ...fitting, ...size, file: bytes, preview });
    return { id, name: fitting.name, isPicture, note: null };
}

const newID = () => attachmentID(crypto.getRandomValues(new Uint8Array(16)));

/**
 * Returns a picture's name with the ending of its type, unless the name has one.
 * @param {string} name
 * @param {import("./pictures.js").PictureType} type
 */
const nameOf = (name, type) => (/\.\w{1,8}$/.test(name) ? name : `${name || "image"}.${extensionOf(type)}`);

/** Returns a name that the server accepts: without control characters and slashes, and not too long. @param {string} name */
function fittingName(name) {
    const clean =
        name
            .toWellFormed()
            .replace(/[\p{Cc}/\\]/gu, " ")
            .trim() || "file";
    const ending = /\.\w{1,8}$/.exec(clean)?.[0] ?? "";
    const words = [...clean.slice(0, clean.length - ending.length)];
    const encoder = new TextEncoder();
    while (encoder.encode(words.join("") + ending).length > maxName) words.pop();
    return words.join("") + ending;
}
