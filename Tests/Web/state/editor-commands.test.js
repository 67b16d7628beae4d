import { EditorSelection, EditorState, ensureSyntaxTree } from "codemirror";
import { moveItems, textStart } from "../../../Sources/Web/notes/editor/lists.js";
import {
    cycleHeading,
    namesAt,
    toggleItems,
    toggleLink,
    toggleQuote,
    toggleWordMark,
} from "../../../Sources/Web/notes/editor/mark-commands.js";
import { language, markdownKeys, toggleChecklist } from "../../../Sources/Web/notes/editor/markdown.js";
import { equal } from "./checks.js";

/** @import { Command } from "codemirror" */

/**
 * Runs a command on a text. `<` and `>` are the ends of the selection, `|` is the caret.
 * @param {string} text
 * @param {Command} command
 */
function after(text, command) {
    const doc = text.replace(/[‹›|]/gu, "");
    const [from, to] = text.includes("|")
        ? [text.indexOf("|"), text.indexOf("|")]
        : [text.indexOf("‹"), text.indexOf("›") - 1];
    let state = EditorState.create({ doc, selection: EditorSelection.range(from, to), extensions: language });
    ensureSyntaxTree(state, doc.length, 1000);
    // A new state has the parsed tree.
    state = state.update({}).state;
    const view = /** @type {any} */ ({
        get state() {
            return state;
        },
        dispatch: (/** @type {any} */ spec) => {
            state = (spec.state ? spec : state.update(spec)).state;
        },
        focus: () => {},
    });
    command(view);
    const { from: start, to: end } = state.selection.main;
    const result = state.doc.toString();
    const marks = start === end ? ["|", ""] : ["‹", "›"];
    return result.slice(0, start) + marks[0] + result.slice(start, end) + marks[1] + result.slice(end);
}

Deno.test("marks are put around words and removed", () => {
    const strong = toggleWordMark("strong");
    equal(after("one ‹two› three", strong), "one **‹two›** three");
    equal(after("one **‹two›** three", strong), "one ‹two› three");
    equal(after("one t|wo three", strong), "one **t|wo** three");
    equal(after("one **t|wo** three", strong), "one t|wo three");
    equal(after("one | three", strong), "one **|** three");
    equal(after("one **|** three", strong), "one | three");
    equal(after("a *‹b›* c", strong), "a ***‹b›*** c");
    equal(after("a `co|de` c", toggleWordMark("code")), "a co|de c");
    equal(after("a ~~b|~~", toggleWordMark("strike")), "a b|");
});

Deno.test("marks are put around the words of each line, not around the marks of lists and spaces", () => {
    const strong = toggleWordMark("strong");
    equal(after("‹- one\n- [ ] two\n\n# three›", strong), "‹- **one**\n- [ ] **two**\n\n# **three›**");
    equal(after("‹- **one**\n- **two**›", strong), "‹- one\n- two›");
    equal(after("‹**one**\ntwo›", strong), "‹**one**\n**two›**");
    equal(after("one‹ two ›three", strong), "one‹ **two** ›three");
    equal(after("‹a **b** c›", strong), "**‹a b c›**");
    equal(after("a **b‹c** d›", strong), "a **b‹c d›**");
    equal(after("**|**", toggleWordMark("emphasis")), "***|***");
    equal(after("***|***", toggleWordMark("emphasis")), "**|**");
});

Deno.test("code stays as it is", () => {
    for (const text of ["`co|de`", "```\n‹one\ntwo›\n```", "    co|de"]) {
        equal(after(text, toggleWordMark("strong")), text);
        equal(after(text, toggleLink), text);
    }
    equal(after("```\nco|de\n```", toggleWordMark("code")), "```\nco|de\n```");
});

Deno.test("words become links and words again", () => {
    equal(after("see ‹the site› now", toggleLink), "see [the site](|) now");
    equal(after("see | now", toggleLink), "see [|]() now");
    equal(after("see‹ the site ›now", toggleLink), "see [the site](|) now");
    equal(after("‹- one\n- two›", toggleLink), "‹- one\n- two›");
    equal(after("see [the s|ite](https://example.org) now", toggleLink), "see the s|ite now");
});

Deno.test("lines become lists, quotes and headings, and text again", () => {
    equal(after("‹one\n\ntwo›", toggleItems("bullets")), "- ‹one\n\n- two›");
    equal(after("- o‹ne\n- two›", toggleItems("bullets")), "o‹ne\ntwo›");
    equal(after("- [ ] o‹ne\n- two›", toggleItems("bullets")), "- o‹ne\n- two›");
    equal(after("- o‹ne\n- two›", toggleItems("numbers")), "1. o‹ne\n2. two›");
    equal(after("‹one\n\ntwo›", toggleQuote), "> ‹one\n\n> two›");
    equal(after("> - o|ne", toggleQuote), "- o|ne");
    equal(after("o|ne", cycleHeading), "# o|ne");
    equal(after("## o|ne", cycleHeading), "### o|ne");
    equal(after("### o|ne", cycleHeading), "o|ne");
    equal(after("|", toggleItems("bullets")), "- |");
});

Deno.test("nested items stay nested, with numbers of their own", () => {
    const numbers = toggleItems("numbers");
    const bullets = toggleItems("bullets");
    equal(after("‹- a\n  - b\n  - c\n- d›", numbers), "‹1. a\n   1. b\n   2. c\n2. d›");
    equal(after("‹1. a\n   1. b\n   2. c\n2. d›", bullets), "‹- a\n  - b\n  - c\n- d›");
    equal(after("‹1. a\n   1. b\n      more\n2. d›", numbers), "‹a\nb\nmore\nd›");
    equal(after("- a|\n  more\n  - b", numbers), "1. a|\n   more\n   - b");
    equal(after("- a\n  - b|\n    - c", numbers), "- a\n  1. b|\n     - c");
    equal(after("> ‹- a\n>   - b›", numbers), "> ‹1. a\n>    1. b›");
    equal(after("‹- [ ] a\n  ```\n  code\n  ```\n- b›", numbers), "‹1. a\n   ```\n   code\n   ```\n2. b›");
    equal(after("‹# a\n\nb\n- c\n  - d›", numbers), "‹1. a\n\n2. b\n3. c\n   1. d›");
    equal(
        after(`‹${"- x\n".repeat(10)}  - y›`, numbers)
            .split("\n")
            .slice(-2)
            .join("\n"),
        "10. x\n    1. y›",
    );
});

Deno.test("a line has only the innermost kind of list", () => {
    const kinds = (/** @type {string} */ doc) => {
        const names = namesAt(EditorState.create({ doc, selection: { anchor: doc.length }, extensions: language }));
        return ["BulletList", "OrderedList", "Task"].filter((name) => names.has(name)).join();
    };
    equal(["- a", "1. a", "- [ ] a", "- [ ] a\n  1. b", "1. a\n   - b", "> - [x] a", "a"].map(kinds), [
        ...["BulletList", "OrderedList", "Task", "OrderedList", "BulletList", "Task", ""],
    ]);
});

Deno.test("lines of quotes, lists and code get marks where they belong", () => {
    equal(after("> o|ne", toggleItems("bullets")), "> - o|ne");
    equal(after("> - o|ne", toggleItems("bullets")), "> o|ne");
    equal(after("> o|ne", cycleHeading), "> # o|ne");
    equal(after("> ‹one\n> two›", toggleChecklist), "> - [ ] ‹one\n> - [ ] two›");
    equal(after("# o|ne", toggleChecklist), "- [ ] o|ne");
    equal(after("‹- a\n  - b›", toggleQuote), "> ‹- a\n>   - b›");
    equal(after("> ‹- a\n>   - b›", toggleQuote), "‹- a\n  - b›");
    equal(after("‹a\n```\nb\n```›", toggleQuote), "> ‹a\n> ```\n> b\n> ```›");
    equal(after("‹a\n```\nb\n```›", toggleItems("bullets")), "- ‹a\n```\nb\n```›");
    equal(after("```\no|ne\n```", toggleChecklist), "```\no|ne\n```");
});

/** @param {string} text @param {boolean} isOut */
const moved = (text, isOut) =>
    after(text, (view) => {
        const changes = moveItems(view.state, isOut);
        if (changes) view.dispatch({ changes });
        return changes !== null;
    });

Deno.test("Tab moves items of lists with what they contain", () => {
    equal(moved("- one\n- tw|o", false), "- one\n  - tw|o");
    equal(moved("1. one\n2. tw|o\n   - three", false), "1. one\n   1. tw|o\n      - three");
    equal(moved("- [ ] one\n- [ ] tw|o\n\n  more\n- three", false), "- [ ] one\n  - [ ] tw|o\n\n    more\n- three");
    equal(moved("- one\n- ‹two\n- three›", false), "- one\n  - ‹two\n  - three›");
    equal(moved("> - one\n> - tw|o", false), "> - one\n>   - tw|o");
    equal(moved("- one\n- tw|o\n\t- three", false), "- one\n  - tw|o\n      - three");
    equal(moved("9. nine\n10. te|n\n11. eleven", false), "9. nine\n   1. te|n\n10. eleven");
    equal(moved("1. a\n2. ‹b\n3. c\n4. d›", false), "1. a\n   1. ‹b\n   2. c\n   3. d›");
    // The first item has no item to move into.
    equal(moved("- on|e\n- two", false), "- on|e\n- two");
});

Deno.test("Shift+Tab moves items out of their list", () => {
    equal(moved("- one\n  - tw|o\n    - three", true), "- one\n- tw|o\n  - three");
    equal(moved("1. one\n   - tw|o", true), "1. one\n- tw|o");
    equal(moved("> - one\n>   - tw|o", true), "> - one\n> - tw|o");
    equal(moved("- one\n\t- tw|o\n\t\t- three", true), "- one\n- tw|o\n    - three");
    equal(moved("- on|e", true), "- on|e");
    equal(moved("text| here", true), "text| here");
});

Deno.test("a moved item numbers the list that it leaves and the list that it joins", () => {
    equal(moved("1. a\n2. b|\n3. c", false), "1. a\n   1. b|\n2. c");
    equal(moved("1. a\n   1. x\n2. b|\n   - y\n3. c", false), "1. a\n   1. x\n   2. b|\n      - y\n2. c");
    equal(moved("1. a\n   1. x\n   2. y|\n   3. z\n2. b", true), "1. a\n   1. x\n2. y|\n   1. z\n3. b");
    equal(moved("1. a\n   1. x|\n      1. y\n   2. z", true), "1. a\n2. x|\n   1. y\n   2. z");
    equal(moved("1. a\n   1. ‹x\n   2. y›\n2. b", true), "1. a\n2. ‹x\n3. y›\n4. b");
    equal(moved("> 1. a\n> 2. b|\n> 3. c", false), "> 1. a\n>    1. b|\n> 2. c");
    equal(moved("8. a\n   1. b|\n9. c\n   - d", true), "8. a\n9. b|\n10. c\n    - d");
    equal(moved("9. a\n10. b|\n11. c\n    - d", false), "9. a\n   1. b|\n10. c\n    - d");
    // Numbers that do not count stay.
    equal(moved("1. a\n1. b|\n1. c", false), "1. a\n   1. b|\n1. c");
    equal(moved("1. a\n5. b|\n7. c", false), "1. a\n   5. b|\n7. c");
    // A list that begins within an item keeps its first number.
    equal(moved("- a\n\n  3. b|", true), "- a\n\n3. b|");
});

Deno.test("Home moves to the text of a line, after its marks", () => {
    const home = (/** @type {string} */ text) =>
        after(text, (view) => {
            const { doc, selection } = view.state;
            view.dispatch({ selection: { anchor: textStart(view.state, doc.lineAt(selection.main.head)).start } });
            return true;
        });
    equal(home("- [ ] tas|k"), "- [ ] |task");
    equal(home("- a\n  1. tex|t"), "- a\n  1. |text");
    equal(home("> > - # tex|t"), "> > - # |text");
    equal(home("#tag|"), "|#tag");
    equal(home("---|"), "|---");
    equal(home("a\n==|"), "a\n|==");
    equal(home("```\n- cod|e\n```"), "```\n|- code\n```");
});

Deno.test("Backspace deletes the mark before the text, or moves a nested item outwards", () => {
    const runOf = (/** @type {string} */ name) =>
        /** @type {{ run: Command }} */ (markdownKeys.find(({ key }) => key === name)).run;
    const run = runOf("Backspace");
    equal(after("- [x] |task", runOf("Ctrl-Backspace")), "|task");
    equal(after("- [x] |task", run), "|task");
    equal(after("- |", run), "|");
    equal(after("10. |text", run), "|text");
    equal(after("- a\n  - [ ] |b", run), "- a\n- [ ] |b");
    equal(after("## |text", run), "|text");
    equal(after("> > |text", run), "> |text");
    equal(after("> - # |text", run), "> - |text");
    // CodeMirror deletes a character there.
    for (const text of ["- t|ext", "-| text", "  |text", "|text", "```\n- |code"]) equal(after(text, run), text);
});
