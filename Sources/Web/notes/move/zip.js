/**
 * Zip archives (PKWARE's APPNOTE 6.3) for exports of notes: stored or deflated files, including Zip64.
 *
 * A file is left out with a remark if it is encrypted, its path leaves the archive, or its length or checksum is wrong.
 * No more is read than the limits allow, whatever sizes the archive declares.
 */
import { chunks } from "../../shared/chunks.js";
import { crc32 } from "../../shared/crc32.js";
import { MoveFailure, maxFileBytes } from "./portable-notes.js";

/** @import { PortableFile, Remark } from "./portable-notes.js" */

/** The limits on the total unpacked size, in bytes, and on the number of files. */
export const maxUnpackedBytes = 256 << 20;
export const maxFiles = 50_000;
const [endMark, entryMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50];
const [end64Mark, locatorMark] = [0x06064b50, 0x07064b50];
const [zip64Field, timesField, pathField] = [1, 0x5455, 0x7075];
const [unix, darwin] = [3, 19];
/** The file type of a symbolic link, in the upper four bits of a Unix mode. */
const linkKind = 0o12;
const [stored, deflated] = [0, 8];
const [isEncrypted, inUTF8] = [1, 1 << 11];

/**
 * @typedef {{ path: string, name: Uint8Array, flags: number, method: number, sum: number, packed: number, size: number,
 *     at: number, time: number | null, isLink: boolean }} Entry
 */

/** @param {Blob} blob */
export async function isZip(blob) {
    const [first, second] = await bytesOf(blob, 0, Math.min(2, blob.size));
    return first === 0x50 && second === 0x4b;
}

/**
 * Returns the files of an archive, and remarks on files that cannot be read. Files that are not wanted can be read later.
 * @param {Blob} blob
 * @param {(path: string, size: number) => boolean} isWanted returns true for files to read at once
 * @param {number} [room] the limit on the total unpacked size, in bytes
 * @returns {Promise<{ files: PortableFile[], remarks: Remark[] }>}
 */
export async function readZip(blob, isWanted, room = maxUnpackedBytes) {
    const { list, count, end } = await readEnd(blob);
    const { entries, remarks } = readEntries(list, count);
    const wanted = entries.filter(({ path, size }) => isWanted(path, size));
    const sizes = wanted.map(({ size }) => size).filter((size) => size <= maxFileBytes);
    if (sizes.reduce((sum, size) => sum + size, 0) > room) throw new MoveFailure("zip-large");
    /** @type {Map<Entry, Uint8Array | null>} */
    const found = new Map();
    let free = 0;
    for (const entry of wanted.toSorted((one, other) => one.at - other.at)) {
        try {
            const { bytes, until } = await readEntry(blob, entry, free, end);
            found.set(entry, bytes);
            free = until;
        } catch (failure) {
            if (!(failure instanceof MoveFailure)) throw failure;
            found.set(entry, null);
            remarks.push({ source: entry.path, what: failure.what, detail: "" });
        }
    }
    const files = entries.flatMap((entry) => {
        const bytes = found.get(entry);
        if (bytes === null) return [];
        const { path, time, size } = entry;
        if (bytes) return { path, bytes, time };
        const read = async () => (await readEntry(blob, entry, 0, end)).bytes;
        return { path, bytes: new Uint8Array(0), time, size, read };
    });
    return { files, remarks };
}

/**
 * Reads the archive's directory, its number of files, and the end of the files. Skips bytes after the archive.
 * @param {Blob} blob
 */
async function readEnd(blob) {
    const tail = Math.max(0, blob.size - 65_557);
    const last = new DataView((await bytesOf(blob, tail, blob.size)).buffer);
    for (let at = last.byteLength - 22; at >= 0; at -= 1) {
        if (last.getUint32(at, true) !== endMark || at + 22 + last.getUint16(at + 20, true) > last.byteLength) continue;
        let [disk, here, count] = [4, 8, 10].map((place) => last.getUint16(at + place, true));
        let [size, from] = [12, 16].map((place) => last.getUint32(at + place, true));
        let end = tail + at;
        if (at >= 20 && last.getUint32(at - 20, true) === locatorMark) {
            end = Number(last.getBigUint64(at - 12, true));
            const record = new DataView((await bytesOf(blob, end, end + 56)).buffer);
            if (record.byteLength < 56 || record.getUint32(0, true) !== end64Mark) continue;
            disk = record.getUint32(16, true);
            [here, count, size, from] = [24, 32, 40, 48].map((place) => Number(record.getBigUint64(place, true)));
        }
        if (disk !== 0 || here !== count || from + size !== end) continue;
        if (count > maxFiles || size > maxFileBytes) throw new MoveFailure("zip-large");
        return { list: new DataView((await bytesOf(blob, from, end)).buffer), count, end: from };
    }
    throw new MoveFailure("zip-damaged");
}

/** Returns the files of the directory, without folders. @param {DataView} list @param {number} count */
function readEntries(list, count) {
    /** @type {Entry[]} */
    const entries = [];
    /** @type {Remark[]} */
    const remarks = [];
    let place = 0;
    for (let index = 0; index < count; index += 1) {
        const { entry, length } = readListed(list, place);
        place += length;
        if (entry.path.endsWith("/")) continue;
        if (/(?:^|\/)\.\.(?:\/|$)|\0/.test(entry.path))
            remarks.push({ source: entry.path.replaceAll("\0", "␀"), what: "zip-name", detail: "" });
        // A link's content is only a path, and its target is in the archive itself.
        else if (entry.isLink) remarks.push({ source: entry.path, what: "not-a-note", detail: "" });
        else entries.push(entry);
    }
    if (place !== list.byteLength) throw new MoveFailure("zip-damaged");
    return { entries, remarks };
}

/**
 * @param {DataView} view
 * @param {number} at
 * @returns {{ entry: Entry, length: number }}
 */
function readListed(view, at) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entryMark) throw new MoveFailure("zip-damaged");
    const [flags, method, clock, day] = [8, 10, 12, 14].map((place) => view.getUint16(at + place, true));
    const sum = view.getUint32(at + 16, true);
    const lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const length = 46 + lengths[0] + lengths[1] + lengths[2];
    if (at + length > view.byteLength) throw new MoveFailure("zip-damaged");
    const name = new Uint8Array(view.buffer, at + 46, lengths[0]);
    const fields = extraFields(view, at + 46 + lengths[0], lengths[1]);
    let rest = 0;
    // Numbers beyond 32 bits are in the Zip64 field, in this order.
    const [size, packed, from] = [24, 20, 42].map((place) => {
        const number = view.getUint32(at + place, true);
        const long = fields.get(zip64Field);
        if (number !== 0xffffffff || !long || rest + 8 > long.byteLength) return number;
        rest += 8;
        return Number(long.getBigUint64(rest - 8, true));
    });
    const times = fields.get(timesField);
    const hasTime = times && times.byteLength >= 5 && times.getUint8(0) & 1;
    const time = hasTime ? times.getInt32(1, true) * 1000 : localTime(day, clock);
    const isLink = [unix, darwin].includes(view.getUint8(at + 5)) && view.getUint32(at + 38, true) >>> 28 === linkKind;
    const path = pathOf(pathIn(fields.get(pathField), name) ?? name);
    return { entry: { path, name, flags, method, sum, packed, size, at: from, time, isLink }, length };
}

/**
 * Returns the UTF-8 path that WinRAR and others write beside a name in a code page, or null for another name.
 * @param {DataView | undefined} field
 * @param {Uint8Array} name
 */
function pathIn(field, name) {
    if (!field || field.byteLength < 5 || field.getUint8(0) !== 1) return null;
    if (field.getUint32(1, true) !== crc32(name)) return null;
    return new Uint8Array(field.buffer, field.byteOffset + 5, field.byteLength - 5);
}

/**
 * @param {DataView} view
 * @param {number} from
 * @param {number} length
 */
function extraFields(view, from, length) {
    /** @type {Map<number, DataView>} */
    const fields = new Map();
    let at = from;
    while (at + 4 <= from + length) {
        const size = Math.min(view.getUint16(at + 2, true), from + length - at - 4);
        fields.set(view.getUint16(at, true), new DataView(view.buffer, at + 4, size));
        at += 4 + size;
    }
    return fields;
}

/**
 * Converts an MS-DOS time, which is in the reader's time zone and exact to two seconds. Returns null for no time.
 * @param {number} day
 * @param {number} clock
 */
function localTime(day, clock) {
    const [month, date] = [(day >> 5) & 15, day & 31];
    if (month === 0 || date === 0) return null;
    return new Date(1980 + (day >> 9), month - 1, date, clock >> 11, (clock >> 5) & 63, (clock & 31) * 2).getTime();
}

/** The characters from 128 of code page 437, which old programs use for names. */
const page437 =
    "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\xa0";

/**
 * Converts a name to a relative path without a Windows drive. Tries UTF-8 first, because several programs do not
 * declare it.
 * @param {Uint8Array} name
 */
function pathOf(name) {
    let path;
    try {
        path = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(name);
    } catch {
        path = [...name].map((byte) => (byte < 128 ? String.fromCharCode(byte) : page437[byte - 128])).join("");
    }
    const parts = path.replace(/^[A-Za-z]:(?=[\\/])/, "").split(/[\\/]/);
    const isFolder = parts.at(-1) === "";
    return parts.filter((part) => part !== "" && part !== ".").join("/") + (isFolder ? "/" : "");
}

/**
 * @param {Blob} blob
 * @param {Entry} entry
 * @param {number} free the first offset after the previous file
 * @param {number} end the end of all files
 */
async function readEntry(blob, entry, free, end) {
    const damaged = new MoveFailure("zip-damaged");
    if (entry.flags & isEncrypted) throw new MoveFailure("zip-encrypted");
    if (entry.method !== stored && entry.method !== deflated) throw new MoveFailure("zip-method");
    if (entry.size > maxFileBytes) throw new MoveFailure("too-large");
    if (entry.at < free || entry.at + 30 + entry.name.length > end) throw damaged;
    const head = new DataView((await bytesOf(blob, entry.at, entry.at + 30 + entry.name.length)).buffer);
    const [method, nameLength, extraLength] = [8, 26, 28].map((place) => head.getUint16(place, true));
    const from = entry.at + 30 + nameLength + extraLength;
    const until = from + entry.packed;
    const isSame =
        nameLength === entry.name.length && entry.name.every((byte, index) => byte === head.getUint8(30 + index));
    if (head.getUint32(0, true) !== fileMark || method !== entry.method || !isSame || until > end) throw damaged;
    const part = blob.slice(from, until).stream();
    const unpacked = entry.method === stored ? part : part.pipeThrough(new DecompressionStream("deflate-raw"));
    const bytes = new Uint8Array(entry.size);
    let count = 0;
    try {
        for await (const chunk of chunks(unpacked)) {
            // Stop unpacking beyond the declared size.
            if (count + chunk.length > entry.size) throw damaged;
            bytes.set(chunk, count);
            count += chunk.length;
        }
    } catch {
        throw damaged;
    }
    if (count !== entry.size || crc32(bytes) !== entry.sum) throw damaged;
    return { bytes, until };
}

/**
 * @param {Blob} blob
 * @param {number} from
 * @param {number} end
 */
const bytesOf = async (blob, from, end) => new Uint8Array(await blob.slice(from, end).arrayBuffer());

/**
 * Creates an archive. Files that are read later are stored without compression, because most are compressed themselves.
 * The archive lacks those whose content is null.
 * @param {PortableFile[]} files
 * @param {Date} time the time of all files
 * @param {(done: number) => void} [report] runs after each file
 * @param {(attachment: string, path: string) => Promise<Uint8Array | null>} [contentOf] returns an attached file
 */
export async function writeZip(files, time, report = () => {}, contentOf = noContent) {
    if (files.length > 0xfffe) throw new MoveFailure("zip-large");
    /** @type {BlobPart[]} */
    const parts = [];
    /** @type {BlobPart[]} */
    const list = [];
    let at = 0;
    let listed = 0;
    const stamp = ((time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)) >>> 0;
    const day = (Math.max(0, time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
    let count = 0;
    for (const [index, { path, attachment, bytes: known }] of files.entries()) {
        const bytes = attachment ? await contentOf(attachment, path) : known;
        if (!bytes) continue;
        count += 1;
        const name = new TextEncoder().encode(path);
        const packed = attachment ? bytes : await deflate(bytes);
        const isPacked = packed.length < bytes.length;
        const content = isPacked ? packed : bytes;
        const shared = [20, inUTF8, isPacked ? deflated : stored, stamp, day];
        const sizes = [crc32(bytes), content.length, bytes.length];
        const head = words([fileMark], shared, sizes, [name.length, 0]);
        // A browser may keep blobs outside of the memory.
        parts.push(head, name, attachment ? new Blob([new Uint8Array(content)]) : new Uint8Array(content));
        // The attributes of a Unix file that only its owner can read and write.
        list.push(
            words([entryMark], [(3 << 8) | 20, ...shared], sizes, [name.length, 0, 0, 0, 0], [0o100600 * 65_536, at]),
            name,
        );
        at += head.length + name.length + content.length;
        listed += 46 + name.length;
        if (at + listed > 0xfffffffe) throw new MoveFailure("zip-large");
        report(index + 1);
    }
    const end = words([endMark], [0, 0, count, count], [listed, at], [0]);
    return new Blob([...parts, ...list, end], { type: "application/zip" });
}

/** @returns {Promise<Uint8Array | null>} */
const noContent = async () => null;

/** Encodes numbers in little endian: alternating rows of 4-byte and 2-byte numbers. @param {...number[]} rows */
function words(...rows) {
    const bytes = new Uint8Array(rows.reduce((sum, row, index) => sum + row.length * (index % 2 ? 2 : 4), 0));
    const view = new DataView(bytes.buffer);
    let at = 0;
    for (const [index, row] of rows.entries()) {
        for (const number of row) {
            if (index % 2) view.setUint16(at, number, true);
            else view.setUint32(at, number, true);
            at += index % 2 ? 2 : 4;
        }
    }
    return bytes;
}

/** @param {Uint8Array} bytes */
async function deflate(bytes) {
    const packed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
    return new Uint8Array(await new Response(packed).arrayBuffer());
}
