/** A cache of attachments in a page's own database that evicts bytes. */

import { AttachmentCache } from "../../../Sources/Web/notes/attachments/attachment-cache.js";
import { attachmentSchema } from "../../../Sources/Web/notes/attachments/attachment-view.js";
import { Database } from "../../../Sources/Web/notes/sync/store.js";

const sizes = { file: 1000, preview: 100 };
/** More than the age at which the time of the last use is renewed, in milliseconds. */
const step = 2 * 3_600_000;

/**
 * Reads the parts of three files in a cache of 2,500 bytes that has an unsent file too, and one of them a second time.
 * Returns which parts of each attachment are on the disk at the end.
 */
export async function run() {
    const store = new Database("eviction", indexedDB, attachmentSchema, () => {});
    let now = 0;
    const cache = new AttachmentCache({
        ...{ store, announce() {}, now: () => now, hash: async () => "", limit: 2500 },
        server: /** @type {any} */ ({
            bytes: async (/** @type {string} */ _, /** @type {"file" | "preview"} */ part) => [
                new ArrayBuffer(sizes[part]),
            ],
        }),
    });
    const attachment = {
        ...{ name: "", type: "image/png", bytes: 1000, sha256: "", width: null, height: null, problem: null, sent: 0 },
        ...{ preview: { bytes: 100, sha256: "" }, has: { file: false, preview: false } },
        state: /** @type {const} */ ("stored"),
    };
    await store.write(async (view) => {
        for (const id of ["a", "b", "c"]) await view.save({ ...attachment, id });
        const kept = { state: /** @type {const} */ ("kept"), unsent: 1, has: { file: true, preview: false } };
        await view.save({ ...attachment, ...kept, id: "unsent", bytes: 9000, preview: null });
        await view.addPieces("unsent", "file", [new ArrayBuffer(9000)]);
    }, "strict");
    for (const id of ["a", "b", "a", "c"]) {
        now += step;
        for (const part of /** @type {const} */ (["preview", "file"])) await cache.content(id, part);
    }
    const all = await store.read((view) => view.all());
    return Object.fromEntries(all.map(({ id, has }) => [id, [has.file, has.preview]]));
}
