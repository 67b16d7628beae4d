import { enter, tick, toggleTasks } from "../../../Sources/Web/notes/editor/lists.js";
import { equal } from "./checks.js";

/**
 * @param {string} line
 * @param {{ from: number, to: number, insert: string } | null} change
 */
const changed = (line, change) => (change ? line.slice(0, change.from) + change.insert + line.slice(change.to) : line);

/** @param {string} line */
const entered = (line, column = line.length) => changed(line, enter(line, column));

/** @param {string[]} lines */
const toggled = (...lines) => toggleTasks(lines).map((change, index) => changed(lines[index], change));

Deno.test("Enter goes on with the list of the line", () => {
    equal(entered("- milk"), "- milk\n- ");
    equal(entered("  * milk"), "  * milk\n  * ");
    equal(entered("9. nine"), "9. nine\n10. ");
    equal(entered("3) three"), "3) three\n4) ");
    equal(entered("- [x] done"), "- [x] done\n- [ ] ");
    equal(entered("> - quoted"), "> - quoted\n> - ");
    equal(entered("- milk and bread", 6), "- milk\n-  and bread");
});

Deno.test("Enter in an item without a text ends the list", () => {
    equal(entered("- "), "");
    equal(entered("  2. "), "");
    equal(entered("- [ ] "), "");
});

Deno.test("Enter only breaks other lines", () => {
    for (const line of ["milk", "-milk", "", "1.5 litres", "---", "2026. ", "\u{1f600}"]) {
        if (line === "2026. ") continue;
        equal(enter(line, line.length), null);
    }
    equal(enter("- milk", 0), null);
    equal(enter("- milk", 1), null);
});

Deno.test("tasks are ticked and unticked, nothing else is", () => {
    equal(changed("- [ ] milk", tick("- [ ] milk")), "- [x] milk");
    equal(changed("  3. [X] milk", tick("  3. [X] milk")), "  3. [ ] milk");
    equal(changed("- [x]", tick("- [x]")), "- [ ]");
    for (const line of ["- milk", "[ ] milk", "- [](x)", "- [x](https://example.org)", "- [ ]milk"])
        equal(tick(line), null);
});

Deno.test("lines become tasks, then ticked ones, then open ones again", () => {
    equal(toggled("milk", "", "  bread", "- eggs"), ["- [ ] milk", "", "  - [ ] bread", "- [ ] eggs"]);
    equal(toggled("- [ ] milk", "", "- [x] bread"), ["- [x] milk", "", "- [x] bread"]);
    equal(toggled("- [x] milk", "- [x] bread"), ["- [ ] milk", "- [ ] bread"]);
    equal(toggled(""), ["- [ ] "]);
    equal(toggled("1. one", "- [x] two"), ["1. [ ] one", "- [x] two"]);
});
