import { createHash } from "node:crypto";

import { pictureSize, withoutMetadata } from "../../../Sources/Web/notes/attachments/pictures.js";
import { maxPixels } from "../../../Sources/Web/notes/attachments/references.js";
import { equal } from "./checks.js";
import { tree } from "./moving.js";

// Tests/Apps/AlmanacNotesTests/Attachments/PictureTests.swift runs the same vectors.
const vectors = JSON.parse(Deno.readTextFileSync(new URL("../moving/cleaned-pictures.json", import.meta.url)));
const variants = 100;

/** @param {string | Uint8Array} bytes */
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** Returns the hash and the declared size of a cleaned picture, or `damaged`. @param {Uint8Array} bytes */
function outcome(bytes) {
    const clean = withoutMetadata(bytes);
    if (!clean) return "damaged";
    const { width, height } = pictureSize(clean) ?? { width: 0, height: 0 };
    const isDeclared = width * height <= maxPixels && Math.max(width, height) < 1 << 16;
    return `${sha256(clean)} ${isDeclared ? width : 0}x${isDeclared ? height : 0}`;
}

/** Yields pictures that are cut off or have other bytes. @param {Uint8Array} bytes */
function* damaged(bytes) {
    let state = 1;
    const below = (/** @type {number} */ limit) => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
        return (state >>> 8) % limit;
    };
    for (let run = 0; run < variants; run += 1) {
        const other = bytes.slice();
        // The first bytes stay, because they say the type.
        for (let edits = below(4); edits > 0; edits -= 1) {
            const at = 12 + below(below(2) === 0 ? bytes.length - 12 : 100);
            other[at] = below(256);
        }
        yield other.subarray(0, below(2) === 0 ? bytes.length : 12 + below(bytes.length - 12));
    }
}

Deno.test("pictures are cleaned as the vectors say", () => {
    const pictures = tree(new URL("../moving/pictures/", import.meta.url)).filter(
        ({ path }) => !path.endsWith(".avif"),
    );
    const found = pictures.map(({ path, bytes }) => ({
        file: path,
        cleaned: outcome(bytes),
        damaged: sha256([...damaged(bytes)].map(outcome).join("\n")),
    }));
    equal(found, vectors);
});
