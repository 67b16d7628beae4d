import assert from "node:assert/strict";
import * as comparison from "../../../Sources/Web/console/state/comparison.js";
import * as drafts from "../../../Sources/Web/console/state/draft.js";
import { isFlag, readEntry } from "../../../Sources/Web/console/state/entries.js";
import { rebase } from "../../../Sources/Web/console/state/rebase.js";
import { undoBody, undoLines } from "../../../Sources/Web/console/state/undo.js";

const flag = { value: '{"state": "ENABLED"}', description: "", kind: "flag" };
const plain = { value: '{"state": "ENABLED"}', description: "" };

Deno.test("a draft says the kind of what is new, and of what becomes another kind", () => {
    const body = (/** @type {drafts.Content | null} */ before, /** @type {drafts.Content | null} */ after) =>
        drafts.patchBody({ key: { before, after } });
    assert.equal(body(null, flag), '{"key": {"kind": "flag", "value": {"state": "ENABLED"}}}');
    assert.equal(body(null, plain), '{"key": {"value": {"state": "ENABLED"}}}');
    assert.equal(body(flag, { ...flag, value: "{}" }), '{"key": {"value": {}}}');
    assert.equal(body(plain, flag), '{"key": {"kind": "flag"}}');
    assert.equal(body(flag, plain), '{"key": {"kind": "value"}}');
    assert.equal(drafts.sameContent(flag, plain), false);
});

Deno.test("a draft that is read again keeps kinds, and takes none that there is not", () => {
    const draft = { message: "", changes: { key: { before: null, after: flag } } };
    assert.deepEqual(drafts.readDraft(drafts.writeDraft(draft)), draft);
    const odd = { message: "", changes: { key: { before: null, after: { ...flag, kind: '"}, "x' } } } };
    assert.deepEqual(drafts.readDraft(JSON.stringify(odd)).changes, {});
});

Deno.test("two changes of a flag are merged into a flag; a change of its kind is a conflict", () => {
    const mine = { ...flag, value: '{"state": "ENABLED", "a": 1}' };
    const theirs = { ...flag, value: '{"state": "DISABLED"}' };
    assert.deepEqual(rebase({ before: flag, after: mine }, theirs), {
        before: theirs,
        after: { ...flag, value: '{"state": "DISABLED", "a": 1}' },
    });
    assert.deepEqual(rebase({ before: flag, after: mine }, plain)?.theirs, plain);
});

Deno.test("promotion, and undoing a removal, carry kinds", () => {
    const { lines } = comparison.compare(new Map([["a", flag]]), new Map());
    assert.equal(comparison.promotion(lines), '{"a":{"value":{"state": "ENABLED"},"kind":"flag"}}');
    const retyped = comparison.compare(new Map([["a", flag]]), new Map([["a", plain]])).lines;
    assert.equal(comparison.promotion(retyped), '{"a":{"value":{"state": "ENABLED"},"kind":"flag"}}');
    const gone = undoLines([{ key: "a", kind: "flag", before: flag.value }], new Map());
    assert.equal(undoBody(gone), '{"a":{"value":{"state": "ENABLED"},"kind":"flag"}}');
});

Deno.test("an entry has the kind that the server says, and the draft's where it has one", () => {
    const entry = readEntry({ key: "a", kind: "flag", type: "object", bytes: 2, value: "{}", updated_at: "" });
    const row = { key: "a", entry, change: undefined, lower: null, valueStart: 0 };
    assert.equal(isFlag(row), true);
    assert.equal(isFlag({ ...row, change: { before: flag, after: null } }), true);
    assert.equal(isFlag({ ...row, change: { before: flag, after: plain } }), false);
    assert.equal(Object.hasOwn(readEntry({ key: "a", value: "1" }), "kind"), false);
});
