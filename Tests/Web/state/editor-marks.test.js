import { afterFence, fenceOf, kindOf, marksOf } from "../../../Sources/Web/notes/editor/marks.js";
import { equal } from "./checks.js";

/** @param {string} line */
const marked = (line) => marksOf(line).map(({ from, to, kind }) => `${kind} ${line.slice(from, to)}`);

Deno.test("what is styled in a line", () => {
    equal(marked("plain *one* **two** ~~three~~ `four`"), [
        "emphasis *one*",
        "strong **two**",
        "strike ~~three~~",
        "code `four`",
    ]);
    equal(marked("- [x] done"), ["sign -", "task [x]", "done done"]);
    equal(marked("- [ ] open"), ["sign -", "task [ ]"]);
    equal(marked("## A heading"), ["sign ##"]);
    equal(marked("2 * 3 * 4 and snake_case_name"), []);
    equal(marked("`**not strong**`"), ["code `**not strong**`"]);
});

Deno.test("links are those of the web and of mail", () => {
    const addresses = (/** @type {string} */ line) => marksOf(line).map(({ href }) => href ?? null);
    equal(addresses("[one](https://example.org/a_b_c)"), ["https://example.org/a_b_c"]);
    equal(addresses("see https://example.org/x, and"), ["https://example.org/x"]);
    equal(addresses("[mail](mailto:a@example.org)"), ["mailto:a@example.org"]);
    equal(addresses("[bad](javascript:alert(1))"), [null]);
    equal(addresses("[bad](data:text/html,x) [worse](vbscript:x)"), [null, null]);
});

Deno.test("whole lines", () => {
    equal(kindOf("# One"), "heading heading-1");
    equal(kindOf("####### seven"), null);
    equal(kindOf("#tag"), null);
    equal(kindOf("> quoted"), "quote");
    equal(kindOf("* * *"), "rule");
    equal(kindOf("text"), null);
});

Deno.test("a fence is closed by one of its kind that is as long", () => {
    const open = fenceOf("```js");
    equal(open, { character: "`", length: 3, isBare: false });
    if (!open) return;
    const after = (/** @type {string} */ line) => {
        const fence = fenceOf(line);
        return fence && afterFence(open, fence);
    };
    equal(after("````"), null);
    equal(after("~~~"), open);
    equal(after("```js"), open);
    equal(fenceOf("``` a ` b"), null);
});

Deno.test("long lines and hostile ones come to an end", () => {
    equal(marksOf("*".repeat(2_000_000)), []);
    for (const piece of ["*a", "[", "](", "`", "_a ", "~~", "https://", "- [", "**a *"]) {
        marksOf(piece.repeat(Math.floor(5000 / piece.length)));
    }
});
