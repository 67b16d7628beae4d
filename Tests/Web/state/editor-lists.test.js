import { EditorState } from "codemirror";
import { enter, toggleTasks } from "../../../Sources/Web/notes/editor/lists.js";
import { language } from "../../../Sources/Web/notes/editor/markdown.js";
import { equal } from "./checks.js";

/** @param {string} text */
const written = (text) =>
    EditorState.create({ doc: text, selection: { anchor: 0, head: text.length }, extensions: language });

/**
 * @param {string} text
 * @param {number} [place]
 */
function entered(text, place = text.length) {
    const state = written(text);
    const changes = enter(state, place);
    return changes && state.update({ changes }).state.doc.toString();
}

/** @param {string[]} lines */
function toggled(...lines) {
    const state = written(lines.join("\n"));
    return state
        .update({ changes: toggleTasks(state) })
        .state.doc.toString()
        .split("\n");
}

Deno.test("Enter goes on with the list of the line", () => {
    equal(entered("- milk"), "- milk\n- ");
    equal(entered("  * milk"), "  * milk\n  * ");
    equal(entered("9. nine"), "9. nine\n10. ");
    equal(entered("3) three"), "3) three\n4) ");
    equal(entered("- [x] done"), "- [x] done\n- [ ] ");
    equal(entered("> - quoted"), "> - quoted\n> - ");
    equal(entered("- milk and bread", 6), "- milk\n-  and bread");
    equal(entered("- a\n  1. b"), "- a\n  1. b\n  2. ");
    equal(entered("- - a"), "- - a\n  - ");
});

Deno.test("Enter numbers the items that follow", () => {
    equal(entered("1. a\n2. b\n3. c", 4), "1. a\n2. \n3. b\n4. c");
    equal(entered("1. a\n2. b\n7. c\n8. d", 4), "1. a\n2. \n3. b\n7. c\n8. d");
    equal(entered("1. a\n1. b", 4), "1. a\n2. \n1. b");
    equal(entered("> 1. a\n> 2. b", 6), "> 1. a\n> 2. \n> 3. b");
    equal(entered("- 1. a\n  2. b\n- c", 6), "- 1. a\n  2. \n  3. b\n- c");
    equal(
        entered("8. a\n9. b\n   more\n   - c\n10. d\n    - e", 4),
        "8. a\n9. \n10. b\n    more\n    - c\n11. d\n    - e",
    );
    // The editor has parsed only the first 3,000 characters.
    const before = "Words.\n\n".repeat(400);
    equal(entered(`${before}1. a\n2. b`, before.length + 4), `${before}1. a\n2. \n3. b`);
});

Deno.test("Enter in an item without a text ends the list", () => {
    equal(entered("- "), "");
    equal(entered("  2. "), "");
    equal(entered("- [ ] "), "");
    equal(entered("- [ ] milk\n- [ ] "), "- [ ] milk\n\n");
    equal(entered("- milk\n\n- "), "- milk\n\n");
});

Deno.test("Enter only breaks other lines", () => {
    for (const line of ["milk", "-milk", "", "1.5 litres", "---", "\u{1f600}", "```\n- milk"])
        equal(entered(line), null);
    equal(entered("- milk", 0), null);
    equal(entered("- milk", 1), null);
});

Deno.test("lines become tasks, then ticked ones, then open ones again", () => {
    equal(toggled("milk", "", "  bread", "- eggs"), ["- [ ] milk", "", "  - [ ] bread", "- [ ] eggs"]);
    equal(toggled("- [ ] milk", "", "- [x] bread"), ["- [x] milk", "", "- [x] bread"]);
    equal(toggled("- [x] milk", "- [x] bread"), ["- [ ] milk", "- [ ] bread"]);
    equal(toggled(""), ["- [ ] "]);
    equal(toggled("1. one", "- [x] two"), ["1. [ ] one", "- [x] two"]);
    equal(toggled("- [x](https://example.org)", "- [](x)"), ["- [ ] [x](https://example.org)", "- [ ] [](x)"]);
});
