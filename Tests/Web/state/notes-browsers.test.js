import { readZip, writeZip } from "../../../Sources/Web/notes/move/zip.js";
import { NotesServer } from "../../../Sources/Web/notes/sync/server.js";
import { equal } from "./checks.js";

/**
 * Runs a test like in Safari, where streams are not iterable.
 * @param {() => Promise<void>} body
 */
const asInSafari = (body) => async () => {
    const prototype = /** @type {any} */ (ReadableStream.prototype);
    const known = { iterator: prototype[Symbol.asyncIterator], values: prototype.values };
    delete prototype[Symbol.asyncIterator];
    delete prototype.values;
    try {
        await body();
    } finally {
        prototype[Symbol.asyncIterator] = known.iterator;
        prototype.values = known.values;
    }
};

Deno.test(
    "an answer is read in every browser",
    asInSafari(async () => {
        const server = new NotesServer("/e", async () => new Response('{"revision": 7}'));
        equal(await server.page({}), { revision: 7 });
    }),
);

Deno.test(
    "an archive is read in every browser",
    asInSafari(async () => {
        const file = { path: "a.md", bytes: new TextEncoder().encode("milk 🥛\n".repeat(1000)) };
        const written = await writeZip([file], new Date(2026, 0, 1));
        equal(
            (await readZip(written, () => true)).files.map(({ bytes }) => bytes.length),
            [file.bytes.length],
        );
    }),
);
