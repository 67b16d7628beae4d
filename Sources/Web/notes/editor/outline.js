/** The outline of a note: its headings, as a list that leads to them. */
import { openDialog } from "../../shared/dialog.js";
import { button, h, userText } from "../../shared/dom.js";
import { parse } from "../markdown/blocks.js";
import { plain } from "../markdown/inlines.js";

/** @typedef {{ level: number, text: string, from: number }} Heading a heading with the offset of its beginning */

/**
 * Returns the headings of a text. The highest of them have level 1.
 * @param {string} text
 * @returns {Heading[]}
 */
export function outlineOf(text) {
    const headings = parse(text).flatMap((block) =>
        block.kind === "heading"
            ? [{ level: block.level, text: plain(block.content).trim(), from: block.from ?? 0 }]
            : [],
    );
    const top = Math.min(...headings.map(({ level }) => level));
    return headings.map((heading) => ({ ...heading, level: heading.level - top + 1 }));
}

/**
 * Shows the outline of a note.
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {() => string} text returns the text of the note
 * @param {(offset: number) => void} jump shows a place of the text
 */
export function openOutline(texts, text, jump) {
    const headings = outlineOf(text());
    const open = (/** @type {number} */ index) => {
        dialog.close();
        // Another device may have changed the text.
        const heading = outlineOf(text())[index];
        if (heading) jump(heading.from);
    };
    const dialog = openDialog(texts, {
        title: texts.say("editor.outline"),
        body:
            headings.length === 0
                ? h("p", {}, texts.say("editor.outline.none"))
                : h(
                      "ol",
                      { class: "outline" },
                      headings.map(({ level, text }, index) =>
                          h(
                              "li",
                              { class: `outline-${level}` },
                              button(
                                  text === "" ? texts.say("editor.outline.empty") : userText(text),
                                  () => open(index),
                                  "quiet",
                              ),
                          ),
                      ),
                  ),
    });
}
