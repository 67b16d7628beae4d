/** The dialog with facts about a note: times, words and characters. */
import { openDialog } from "../../shared/dialog.js";
import { h } from "../../shared/dom.js";

/** Segments a text into words, and into characters as readers see them. */
export const segments = {
    words: new Intl.Segmenter(undefined, { granularity: "word" }),
    characters: new Intl.Segmenter(undefined, { granularity: "grapheme" }),
};

/** Counts the words and the characters of a text as a reader does. @param {string} text */
export function counted(text) {
    let [words, characters] = [0, 0];
    for (const { isWordLike } of segments.words.segment(text)) if (isWordLike) words += 1;
    for (const _ of segments.characters.segment(text)) characters += 1;
    return { words, characters };
}

/**
 * @param {import("../../shared/texts.js").Texts} texts
 * @param {{ createdAt: number, updatedAt: number }} record
 * @param {string} body
 */
export function openNoteFacts(texts, { createdAt, updatedAt }, body) {
    const { words, characters } = counted(body);
    const time = (/** @type {number} */ at) => texts.time(new Date(at).toISOString());
    const rows = Object.entries({
        created: time(createdAt),
        edited: time(updatedAt),
        words: texts.number(words),
        characters: texts.number(characters),
    });
    openDialog(texts, {
        title: texts.say("editor.about"),
        body: h(
            "dl",
            { class: "facts" },
            rows.map(([key, value]) => h("div", {}, h("dt", {}, texts.say(`editor.about.${key}`)), h("dd", {}, value))),
        ),
    });
}
