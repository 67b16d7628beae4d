/**
 * Zip archives (PKWARE's APPNOTE 6.3), as far as exports of notes need them: stored or deflated files with names in UTF-8.
 *
 * Strict in what it reads: no encryption, no Zip64, no name twice, no path that leads out of the archive, no file that is
 * another length or checksum than is said of it, and nothing beyond the limits, whatever the archive promises.
 */
import { pieces } from "../../shared/stream.js";
import { MoveFailure } from "./notes.js";

/** @import { MovedFile } from "./notes.js" */

const limits = { files: 20_000, file: 64 << 20, all: 256 << 20 };
const [endMark, entryMark, fileMark] = [0x06054b50, 0x02014b50, 0x04034b50];
const [stored, deflated] = [0, 8];
const inUTF8 = 1 << 11;

/** @typedef {{ path: string, name: Uint8Array, method: number, sum: number, packed: number, size: number, at: number }} Entry */

/** @param {Blob} blob */
export async function isZip(blob) {
    const [first, second] = await bytesOf(blob, 0, Math.min(2, blob.size));
    return first === 0x50 && second === 0x4b;
}

/**
 * The files of an archive.
 * @param {Blob} blob
 * @param {(path: string) => boolean} isWanted whether to read a file; of others only the path comes
 * @returns {Promise<MovedFile[]>}
 */
export async function readZip(blob, isWanted) {
    const { entries, end } = await readEntries(blob);
    const wanted = entries.filter(({ path }) => isWanted(path));
    if (wanted.reduce((sum, { size }) => sum + size, 0) > limits.all) throw new MoveFailure("zip-large");
    /** @type {Map<Entry, Uint8Array>} */
    const found = new Map();
    let free = 0;
    for (const entry of wanted.toSorted((one, other) => one.at - other.at)) {
        const { bytes, until } = await readEntry(blob, entry, free, end);
        found.set(entry, bytes);
        free = until;
    }
    return entries.map((entry) => ({ path: entry.path, bytes: found.get(entry) ?? new Uint8Array(0) }));
}

/**
 * The archive's own list, without its folders.
 * @param {Blob} blob
 */
async function readEntries(blob) {
    const tail = Math.max(0, blob.size - 65_557);
    const last = new DataView((await bytesOf(blob, tail, blob.size)).buffer);
    let at = last.byteLength - 22;
    while (
        at >= 0 &&
        !(last.getUint32(at, true) === endMark && at + 22 + last.getUint16(at + 20, true) === last.byteLength)
    )
        at -= 1;
    if (at < 0) throw new MoveFailure("zip-damaged");
    const [disk, count, all] = [4, 8, 10].map((place) => last.getUint16(at + place, true));
    const [size, from] = [12, 16].map((place) => last.getUint32(at + place, true));
    if (all === 0xffff || size === 0xffffffff || from === 0xffffffff) throw new MoveFailure("zip64");
    if (disk !== 0 || count !== all || from + size !== tail + at) throw new MoveFailure("zip-damaged");
    if (all > limits.files) throw new MoveFailure("zip-large");
    const view = new DataView((await bytesOf(blob, from, from + size)).buffer);
    /** @type {Entry[]} */
    const entries = [];
    const paths = new Set();
    let place = 0;
    for (let index = 0; index < all; index += 1) {
        const { entry, length } = readListed(view, place);
        place += length;
        if (entry.path.endsWith("/")) continue;
        if (paths.has(entry.path)) throw new MoveFailure("zip-twice", entry.path);
        paths.add(entry.path);
        entries.push(entry);
    }
    if (place !== size) throw new MoveFailure("zip-damaged");
    return { entries, end: from };
}

/**
 * @param {DataView} view
 * @param {number} at
 * @returns {{ entry: Entry, length: number }}
 */
function readListed(view, at) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entryMark) throw new MoveFailure("zip-damaged");
    const [flags, method] = [8, 10].map((place) => view.getUint16(at + place, true));
    const [sum, packed, size] = [16, 20, 24].map((place) => view.getUint32(at + place, true));
    const lengths = [28, 30, 32].map((place) => view.getUint16(at + place, true));
    const offset = view.getUint32(at + 42, true);
    const length = 46 + lengths[0] + lengths[1] + lengths[2];
    if (at + length > view.byteLength) throw new MoveFailure("zip-damaged");
    const name = new Uint8Array(view.buffer, view.byteOffset + at + 46, lengths[0]);
    const path = pathOf(name);
    if ([packed, size, offset].includes(0xffffffff)) throw new MoveFailure("zip64");
    if (flags & 1) throw new MoveFailure("zip-encrypted", path);
    return { entry: { path, name, method, sum, packed, size, at: offset }, length };
}

/** @param {Uint8Array} name */
function pathOf(name) {
    let path;
    try {
        path = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(name);
    } catch {
        throw new MoveFailure("zip-name");
    }
    const parts = path.replace(/\/$/, "").split("/");
    if (/[\\\0]/.test(path) || parts.some((part) => part === "" || part === "." || part === ".."))
        throw new MoveFailure("zip-name", path);
    return path;
}

/**
 * @param {Blob} blob
 * @param {Entry} entry
 * @param {number} free the first place that no other file takes up
 * @param {number} end that of all files
 */
async function readEntry(blob, entry, free, end) {
    const damaged = new MoveFailure("zip-damaged", entry.path);
    if (entry.method !== stored && entry.method !== deflated) throw new MoveFailure("zip-method", entry.path);
    if (entry.size > limits.file) throw new MoveFailure("zip-large", entry.path);
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
        for await (const chunk of pieces(unpacked)) {
            // More than was said: no more of it is unpacked.
            if (count + chunk.length > entry.size) throw damaged;
            bytes.set(chunk, count);
            count += chunk.length;
        }
    } catch {
        throw damaged;
    }
    if (count !== entry.size || checksum(bytes) !== entry.sum) throw damaged;
    return { bytes, until };
}

/**
 * @param {Blob} blob
 * @param {number} from
 * @param {number} end
 */
const bytesOf = async (blob, from, end) => new Uint8Array(await blob.slice(from, end).arrayBuffer());

/**
 * Makes an archive.
 * @param {MovedFile[]} files
 * @param {Date} time that of all files
 * @param {(done: number) => void} [report] called after each file
 */
export async function writeZip(files, time, report = () => {}) {
    if (files.length > 0xfffe) throw new MoveFailure("zip-large");
    /** @type {BlobPart[]} */
    const parts = [];
    /** @type {BlobPart[]} */
    const list = [];
    let at = 0;
    let listed = 0;
    const stamp = ((time.getHours() << 11) | (time.getMinutes() << 5) | (time.getSeconds() >> 1)) >>> 0;
    const day = (Math.max(0, time.getFullYear() - 1980) << 9) | ((time.getMonth() + 1) << 5) | time.getDate();
    for (const [index, { path, bytes }] of files.entries()) {
        const name = new TextEncoder().encode(path);
        const packed = await deflate(bytes);
        const isPacked = packed.length < bytes.length;
        const content = isPacked ? packed : bytes;
        const shared = [20, inUTF8, isPacked ? deflated : stored, stamp, day];
        const sizes = [checksum(bytes), content.length, bytes.length];
        const head = words([fileMark], shared, sizes, [name.length, 0]);
        parts.push(head, name, new Uint8Array(content));
        // Made on a Unix: a file that only its owner can read.
        list.push(
            words([entryMark], [(3 << 8) | 20, ...shared], sizes, [name.length, 0, 0, 0, 0], [0o100600 * 65_536, at]),
            name,
        );
        at += head.length + name.length + content.length;
        listed += 46 + name.length;
        if (at + listed > 0xfffffffe) throw new MoveFailure("zip-large");
        report(index + 1);
    }
    const end = words([endMark], [0, 0, files.length, files.length], [listed, at], [0]);
    return new Blob([...parts, ...list, end], { type: "application/zip" });
}

/**
 * Numbers in little endian: rows of 4 bytes and of 2 in turn.
 * @param {...number[]} rows
 */
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

const remainders = Uint32Array.from({ length: 256 }, (_, byte) => {
    let remainder = byte;
    for (let bit = 0; bit < 8; bit += 1) remainder = remainder & 1 ? (remainder >>> 1) ^ 0xedb88320 : remainder >>> 1;
    return remainder;
});

/**
 * CRC-32 as in zip.
 * @param {Uint8Array} bytes
 */
function checksum(bytes) {
    let sum = 0xffffffff;
    for (const byte of bytes) sum = remainders[(sum ^ byte) & 255] ^ (sum >>> 8);
    return (sum ^ 0xffffffff) >>> 0;
}
