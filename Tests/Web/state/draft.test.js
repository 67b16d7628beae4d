import {
    conflicts,
    edit,
    editAll,
    noDraft,
    patchBody,
    readDraft,
    restored,
    undo,
    withoutSaved,
    writeDraft,
} from "../../../Sources/Web/console/state/draft.js";
import { mergeValues, rebase } from "../../../Sources/Web/console/state/rebase.js";
import { equal } from "./checks.js";

/** @param {string} value */
const content = (value, description = "") => ({ value, description });

Deno.test("an edit stands until it says what was there before", () => {
    const one = edit(noDraft, "a", content("1"), content("2"));
    const two = edit(one, "a", content("other"), content("3"));
    equal(two.changes.a, { before: content("1"), after: content("3") });
    equal(edit(two, "a", content("1"), content("1")).changes, {});
    equal(undo(two, "a").changes, {});
});

Deno.test("several edits are undone together, and edits of other keys since then stay", () => {
    const first = edit(noDraft, "shop.hours", content('"8–18"'), content('"9–18"'));
    let moved = edit(first, "shop.hours", content('"8–18"'), null);
    moved = edit(moved, "store.hours", null, content('"9–18"'));
    const later = edit(moved, "limits.items", content("10"), content("12"));
    const back = restored(later, first, ["shop.hours", "store.hours"]);
    equal(back.changes, { ...first.changes, "limits.items": later.changes["limits.items"] });
    equal(restored(later, noDraft, ["constructor"]), later);
});

Deno.test("a step can edit thousands of keys, one of them twice", () => {
    const keys = ["__proto__", ...Array.from({ length: 4999 }, (_, at) => `shop.k${at}`)];
    /** @type {import("../../../Sources/Web/console/state/draft.js").Edit[]} */
    const edits = keys.map((key) => [key, content("1"), content("2")]);
    const step = editAll(noDraft, [["shop.k0", content("1"), null], ...edits]);
    equal(Object.keys(step.changes).sort(), [...keys].sort());
    equal(step.changes["shop.k0"], { before: content("1"), after: content("2") });
    equal(restored(step, noDraft, keys).changes, {});
});

Deno.test("a value with other digits is another value", () => {
    equal(Object.keys(edit(noDraft, "a", content("1.10"), content("1.1")).changes), ["a"]);
});

Deno.test("the patch says what changes and no more, digits kept", () => {
    let draft = edit(noDraft, "b", content("1"), content("9007199254740993"));
    draft = edit(draft, "a", null, content('{"x": 1.10}', "new"));
    draft = edit(draft, "c", content("1"), null);
    draft = edit(draft, "d", content("1", "old"), content("1", "words"));
    equal(
        patchBody(draft.changes),
        '{"a": {"value": {"x": 1.10}, "description": "new"}, "b": {"value": 9007199254740993}, ' +
            '"c": null, "d": {"description": "words"}}',
    );
});

Deno.test("what was typed after the save was sent stays", () => {
    const sent = edit(edit(noDraft, "a", content("1"), content("2")), "b", null, content("1"));
    const later = edit(edit(sent, "a", content("1"), content("3")), "c", null, content("5"));
    equal(withoutSaved(later, sent.changes).changes, {
        a: { before: content("2"), after: content("3") },
        c: { before: null, after: content("5") },
    });
});

Deno.test("a draft is written and read, and nonsense is no draft", () => {
    const draft = { message: "why", changes: edit(noDraft, "__proto__x", null, content("1")).changes };
    equal(readDraft(writeDraft(draft)), draft);
    for (const text of [
        null,
        "",
        "[]",
        "{}",
        '{"changes":5,"message":""}',
        '{"changes":{"a":{"after":7}},"message":""}',
    ]) {
        equal(readDraft(text).changes, {});
    }
});

Deno.test("keys that objects have anyway are keys like others", () => {
    const draft = edit(noDraft, "constructor", content("1"), content("2"));
    equal(draft.changes.constructor, { before: content("1"), after: content("2") });
    equal(edit(noDraft, "toString", content("1"), content("1")).changes, {});
});

const mine = { before: content("1"), after: content("2") };

Deno.test("a change on top of theirs", () => {
    equal(rebase(mine, content("1")), mine);
    equal(rebase(mine, content("2")), null);
    equal(rebase(mine, content("3"), "Mara"), { ...mine, theirs: content("3"), by: "Mara" });
    equal(rebase(mine, null), { ...mine, theirs: null, by: undefined });
    equal(rebase(mine, content("1", "words")), { before: content("1", "words"), after: content("2", "words") });
    equal(rebase({ before: null, after: content("1") }, content("2"))?.theirs, content("2"));
    equal(rebase({ before: content("1"), after: null }, null), null);
    const removal = { before: content("1"), after: null };
    equal(rebase(removal, content("1")), removal);
    equal(rebase(removal, content("2"))?.theirs, content("2"));
});

Deno.test("members of objects that do not meet are merged", () => {
    equal(mergeValues('{"a":1,"b":2}', '{"a":5,"b":2}', '{"a":1,"b":2.0,"c":3}'), '{"a": 5, "b": 2.0, "c": 3}');
    equal(mergeValues('{"a":{"x":1,"y":1}}', '{"a":{"x":2,"y":1}}', '{"a":{"x":1}}'), '{"a": {"x": 2}}');
    equal(mergeValues('{"a":1}', '{"a":2}', '{"a":3}'), null);
    equal(mergeValues('{"a":1}', '{"a":2}', "{}"), null);
    equal(mergeValues("[1]", "[1,2]", "[0,1]"), null);
});

Deno.test("conflicts are those with another's change, a removal too", () => {
    const one = rebase(mine, null);
    equal(
        conflicts({ a: mine, b: /** @type {import("../../../Sources/Web/console/state/draft.js").Change} */ (one) }),
        ["b"],
    );
});
