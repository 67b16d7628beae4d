import { markOf } from "../../../Sources/Web/notes/account/accounts.js";
import { copyFiles, missingHere } from "../../../Sources/Web/notes/attachments/copying.js";
import { sourceOf } from "../../../Sources/Web/notes/editor/offering-files.js";
import { equal } from "./checks.js";

/** @import { Keeper } from "../../../Sources/Web/notes/attachments/adding.js" */
/** @import { Attachment } from "../../../Sources/Web/notes/attachments/attachment-view.js" */
/** @import { GivenFile } from "../../../Sources/Web/notes/attachments/attachments.js" */

const idOf = (/** @type {string} */ letter) => letter.repeat(26);
const bytesOf = (/** @type {string} */ text) => new Uint8Array(new TextEncoder().encode(text)).buffer;

/**
 * Returns an attachment whose file contains its name.
 * @param {string} name
 * @param {Attachment["state"]} state
 * @returns {Attachment}
 */
const attachment = (name, state, isHere = true) => ({
    ...{
        id: idOf(name),
        name: `${name}.bin`,
        type: "",
        bytes: 1,
        sha256: "",
        width: null,
        height: null,
        preview: null,
    },
    ...{ state, problem: null, sent: 0, has: { file: isHere, preview: false } },
});

/** An account's attachments on this device. @param {Attachment[]} given */
function accountWith(given) {
    const all = new Map(given.map((one) => [one.id, one]));
    /** @type {GivenFile[]} */
    const added = [];
    /** @type {Keeper} */
    const engine = {
        attachment: async (id) => all.get(id) ?? null,
        attach: async (file) => {
            added.push(file);
        },
        attachmentContent: async () => null,
    };
    const source = {
        attachments: async (/** @type {string[]} */ ids) => ids.map((id) => all.get(id) ?? null),
        file: async (/** @type {string} */ id) => (all.get(id)?.has.file ? bytesOf(id) : null),
    };
    return { engine, source, added };
}

const textOf = (/** @type {string[]} */ ids) => {
    const replaced = new Map(ids.map((id) => [id, id]));
    return {
        replaced,
        has: (/** @type {string} */ id) => replaced.get(id) === id,
        replace: (/** @type {string} */ id, /** @type {string} */ other) => replaced.set(id, other),
    };
};

Deno.test("a text's account is a source while its user is signed in to this browser", () => {
    const accounts = [
        { environment: "development", name: "alice", left: false },
        { environment: "staging", name: "alice", left: true },
    ];
    equal(sourceOf(markOf("development", "alice"), accounts), accounts[0]);
    for (const mark of [markOf("staging", "alice"), markOf("development", "bob"), "", "alice", "{"])
        equal(sourceOf(mark, accounts), null);
});

Deno.test("files are missing that the other account has, and this one lacks or has removed", async () => {
    const here = accountWith([
        attachment("a", "stored", false),
        attachment("b", "removed"),
        attachment("c", "refused"),
    ]);
    const there = accountWith([
        ...["a", "b", "c", "d"].map((name) => attachment(name, "stored")),
        ...[attachment("e", "removed"), attachment("f", "kept"), attachment("g", "stored", false)],
    ]);
    const missing = await missingHere([..."abcdefgh"].map(idOf), here.engine, there.source);
    equal(
        missing.map(({ name }) => name),
        ["b.bin", "d.bin", "f.bin", "g.bin"],
    );
});

Deno.test("copied files keep their ids, except for removed ones, and absent ones are named", async () => {
    const here = accountWith([attachment("b", "removed"), attachment("c", "removed"), attachment("e", "kept")]);
    const files = ["a", "b", "c", "d", "e"].map((name) => attachment(name, "stored", name !== "d"));
    const { source } = accountWith(files);
    const text = textOf([..."abde"].map(idOf));
    // The reference to c is gone from the text, and e was added meanwhile.
    equal(await copyFiles(files, here.engine, source, text), { away: ["d.bin"], isChanged: true });
    const [a, b, ...others] = here.added;
    equal([a.id, a.name, a.file, others], [idOf("a"), "a.bin", bytesOf(idOf("a")), []]);
    equal([b.name, b.file, b.id === idOf("b")], ["b.bin", bytesOf(idOf("b")), false]);
    equal(text.replaced, new Map([..."abde"].map(idOf).map((id) => [id, id === idOf("b") ? b.id : id])));
});

Deno.test("nothing is copied after the user has signed out of the other account", async () => {
    const here = accountWith([]);
    const copied = await copyFiles([attachment("a", "stored")], here.engine, null, textOf([idOf("a")]));
    equal([copied, here.added], [{ away: ["a.bin"], isChanged: false }, []]);
});

Deno.test("a damaged picture stays the file that it is in the other account", async () => {
    const bytes = Deno.readFileSync(new URL("../moving/pictures/photo-1.jpg", import.meta.url)).slice(0, 40);
    const here = accountWith([]);
    const picture = { ...attachment("a", "stored"), type: "image/jpeg", name: "a.jpg" };
    await copyFiles(
        [picture],
        here.engine,
        { attachments: async () => [], file: async () => bytes.buffer },
        textOf([]),
    );
    equal(
        here.added.map(({ file, width }) => [new Uint8Array(file), width]),
        [[bytes, null]],
    );
});
