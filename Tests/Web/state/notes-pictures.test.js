import { orientationOf } from "../../../Sources/Web/notes/attachments/exif.js";
import { pictureSize, pictureType, withoutMetadata } from "../../../Sources/Web/notes/attachments/pictures.js";
import { equal, random } from "./checks.js";
import { tree } from "./moving.js";

// Pillow and piexif wrote these files. Each picture has 24 columns and 16 rows, and a location if it has Exif.
const pictures = tree(new URL("../moving/pictures/", import.meta.url));
const marks = [
    "GPSDatum",
    "CameraMaker",
    "CameraModel",
    "XMPLatitude",
    "xmpmeta",
    "CommentOfPhoto",
    "MPF\0",
    "2026:03:01",
];

/** @param {Uint8Array} bytes */
const latin = (bytes) => new TextDecoder("latin1").decode(bytes);
/** Returns the texts of metadata that a file has. @param {Uint8Array} bytes */
const marksIn = (bytes) => marks.filter((mark) => latin(bytes).includes(mark));
/** @param {string} path */
const turned = (path) => ["photo-6", "photo-8", "big-endian"].some((name) => path.startsWith(name));

/** Returns the orientation in the first Exif block of a file, or 1. @param {Uint8Array} bytes */
function orientationIn(bytes) {
    const at = latin(bytes).search(/II\*\0|MM\0\*/);
    return at < 0 ? 1 : orientationOf(bytes.subarray(at));
}

Deno.test("pictures have the types and the sizes that are shown", () => {
    for (const { path, bytes } of pictures) {
        const ending = path.split(".")[1].replace("jpg", "jpeg");
        const size = turned(path) ? { width: 16, height: 24 } : { width: 24, height: 16 };
        equal([path, pictureType(bytes), pictureSize(bytes)], [path, `image/${ending}`, size]);
    }
    for (const other of ["", "\xff\xd8", "<svg xmlns='http://www.w3.org/2000/svg'/>", "RIFF1234WAVE", "0000ftypheic"])
        equal(pictureType(Uint8Array.from(other, (sign) => sign.charCodeAt(0))), null);
});

Deno.test("location, camera, texts and thumbnails are cut out, and the orientation and the colours stay", () => {
    let count = 0;
    for (const { path, bytes } of pictures) {
        const clean = withoutMetadata(bytes) ?? new Uint8Array(0);
        count += marksIn(bytes).length;
        equal([path, marksIn(clean)], [path, []]);
        equal([path, orientationIn(clean)], [path, orientationIn(bytes)]);
        equal([path, pictureSize(clean)], [path, pictureSize(bytes)]);
        for (const profile of ["acsp", "iCCP", "NETSCAPE2.0", "acTL", "ANMF"])
            equal([path, profile, latin(clean).includes(profile)], [path, profile, latin(bytes).includes(profile)]);
        equal([path, latin(withoutMetadata(clean) ?? bytes)], [path, latin(clean)]);
        // The length of a RIFF container counts what follows it.
        if (path.endsWith(".webp")) equal(new DataView(clean.buffer).getUint32(4, true), clean.length - 8);
    }
    equal(count > 40, true);
});

Deno.test("a picture that is cut off keeps no location, or is refused", () => {
    for (const { path, bytes } of pictures.filter(({ path }) => !path.endsWith(".avif")))
        for (let length = 0; length < bytes.length; length += 1) {
            const clean = withoutMetadata(bytes.subarray(0, length));
            if (clean) equal([path, length, marksIn(clean)], [path, length, []]);
        }
    // Without all of its boxes, an AVIF file cannot be read.
    for (const { path, bytes } of pictures.filter(({ path }) => path.endsWith(".avif")))
        equal([path, withoutMetadata(bytes.subarray(0, bytes.length - 1))], [path, null]);
});

Deno.test("damaged pictures need no more time and room than whole ones", () => {
    const below = random(41);
    for (let run = 0; run < 600; run += 1) {
        const bytes = pictures[below(pictures.length)].bytes.slice();
        for (let count = 1 + below(6); count > 0; count -= 1) bytes[12 + below(bytes.length - 12)] = below(256);
        const clean = withoutMetadata(bytes);
        if (clean) equal(clean.length <= bytes.length + 64, true);
        pictureSize(bytes);
    }
    const [avif] = pictures.filter(({ path }) => path === "photo-6.avif").map(({ bytes }) => bytes);
    const large = new Uint8Array(avif.length + (24 << 20));
    large.set(avif);
    const view = new DataView(large.buffer);
    // A box for the rest of the file, and an item of metadata in as many pieces as possible, each of them the whole file.
    view.setUint32(avif.length, 24 << 20);
    large.set(new TextEncoder().encode("free"), avif.length + 4);
    equal(marksIn(withoutMetadata(large)?.subarray(0, avif.length) ?? avif), []);
    const iloc = latin(avif).indexOf("iloc") + 4;
    // The second item is the Exif block.
    equal([view.getUint16(iloc + 6), view.getUint16(iloc + 22)], [3, 2]);
    view.setUint32(iloc + 28, 0);
    view.setUint32(iloc + 32, large.length);
    view.setUint16(iloc + 26, 2);
    view.setUint32(iloc + 36, 0);
    view.setUint32(iloc + 40, large.length);
    equal(withoutMetadata(large) === null, true);
    for (const [start, piece] of /** @type {[string, string][]} */ ([
        [
            "\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0",
            "\0\0\0\0IDAT\0\0\0\0\0\0\0\0tEXt\0\0\0\0",
        ],
        ["GIF89a\x01\0\x01\0\0\0\0", "\x21\xfe\0\x21\xf9\0"],
        ["\xff\xd8", "\xff\xfe\0\x02\xff\xda\0\x02"],
        ["RIFF\xff\xff\xff\x00WEBP", "EXIF\0\0\0\0ALPH\0\0\0\0"],
    ])) {
        const text = start + piece.repeat(1 << 16);
        const bytes = Uint8Array.from(text, (sign) => sign.charCodeAt(0));
        const clean = withoutMetadata(bytes);
        equal([start, clean !== null && clean.length < bytes.length], [start, !start.startsWith("GIF")]);
        pictureSize(bytes);
    }
});
