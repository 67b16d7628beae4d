/** The clipboard of a note's text: documents are pasted as Markdown, and Markdown is copied as a document too. */

import { EditorView, ensureSyntaxTree, syntaxTree } from "codemirror";
import { h } from "../../shared/dom.js";
import { markOf } from "../account/accounts.js";
import { attachmentsIn } from "../attachments/references.js";
import { addressTarget, isBareLink } from "../markdown/bare-links.js";
import { parse } from "../markdown/blocks.js";
import { addressText } from "../markdown/escapes.js";
import { render, safe } from "../markdown/render.js";
import { documentOf } from "./pasted-html.js";

/** @import { EditorState } from "codemirror" */
/** @import { Context } from "../frame.js" */
/** @import { PastedDocument } from "./pasted-html.js" */

/** The attribute of copied HTML whose plain text is its Markdown. */
const ownMark = "data-almanac-note";
/** The clipboard's type for the account of a text with files. */
const accountType = "application/x-almanac-account";
/** The number of pasted documents that can become plain text, which is the number of notices. */
const maxPasted = 3;
/** The time limit for parsing, in milliseconds. */
const parsingTime = 100;

/** The range of a pasted text, which moves with changes. @typedef {{ from: number, to: number }} Place */
/** A pasted document. `plain` is its plain text with what the document replaced. */
/** @typedef {Place & { text: string, plain: string }} Pasted */

/**
 * Returns the extension for the editor of a note's text.
 * @param {Pick<Context, "texts" | "notify" | "fail" | "engine" | "device" | "environment" | "account">} context
 */
export function clipboard(context) {
    const { texts, notify } = context;
    const account = markOf(context.environment, context.account);
    /** @type {Place[]} */
    const all = [];
    const follow = (/** @type {Place} */ place) => {
        all.push(place);
        if (all.length > maxPasted) all.shift();
    };
    const changed = () => notify(texts.say("editor.pasted.changed"), undefined, "failure");

    /** @param {EditorView} view @param {PastedDocument} document @param {string} plain */
    function pasteDocument(view, document, plain) {
        const { state } = view;
        const { from, to, insert, end } = fitted(state, document);
        const replaced = state.sliceDoc(from, state.selection.main.from);
        view.dispatch({
            changes: { from, to, insert },
            selection: { anchor: from + end },
            scrollIntoView: true,
            userEvent: "input.paste",
        });
        const text = view.state.sliceDoc(from, from + insert.length);
        const pasted = { from, to: from + insert.length, text, plain: replaced + plain };
        follow(pasted);
        const run = () => replacePasted(view, pasted);
        notify(texts.say("editor.pasted"), { label: texts.say("editor.pasted.plain"), run });
    }

    /** @param {EditorView} view @param {Pasted} pasted */
    function replacePasted(view, { from, to, text, plain }) {
        const { state, dom } = view;
        if (!dom.isConnected || state.readOnly || state.sliceDoc(from, to) !== text) {
            return changed();
        }
        view.dispatch({
            changes: { from, to, insert: plain },
            selection: { anchor: from + plain.length },
            scrollIntoView: true,
            userEvent: "input.paste",
        });
        view.focus();
    }

    /**
     * Inserts a text of another account, and offers to copy its files.
     * @param {EditorView} view
     * @param {string} text
     * @param {string} mark the other account's
     */
    function pasteOfOther(view, text, mark) {
        const { from } = view.state.selection.main;
        view.dispatch(view.state.replaceSelection(text), { scrollIntoView: true, userEvent: "input.paste" });
        const place = { from, to: from + text.length };
        follow(place);
        /** Returns the offsets of an id in the pasted text. @param {string} id */
        const offsets = (id) => {
            const { state, dom } = view;
            if (!dom.isConnected || state.readOnly) return [];
            const found = state.sliceDoc(place.from, place.to).matchAll(new RegExp(`(?<=attachments/)${id}`, "g"));
            return [...found].map(({ index }) => place.from + index);
        };
        const has = (/** @type {string} */ id) => offsets(id).length > 0;
        const replace = (/** @type {string} */ id, /** @type {string} */ insert) =>
            view.dispatch({
                changes: offsets(id).map((at) => ({ from: at, to: at + id.length, insert })),
                userEvent: "input.paste",
            });
        import("./offering-files.js")
            .then(({ offerFiles }) => offerFiles(context, { text, mark, changed, has, replace }))
            .catch(context.fail);
    }

    return [
        EditorView.updateListener.of(({ docChanged, changes }) => {
            if (!docChanged) return;
            for (const pasted of all) {
                pasted.from = changes.mapPos(pasted.from, 1);
                pasted.to = Math.max(pasted.from, changes.mapPos(pasted.to, -1));
            }
        }),
        EditorView.domEventHandlers({
            paste({ clipboardData: data }, view) {
                const { state } = view;
                if (!data || state.readOnly || isInCode(state)) return false;
                const plain = data.getData("text/plain").replace(/\r\n?/g, "\n");
                const link = linkOver(state, plain.trim());
                if (link) {
                    view.dispatch({ ...link, scrollIntoView: true, userEvent: "input.paste" });
                    return true;
                }
                const mark = data.getData(accountType);
                if (mark !== "" && mark !== account && attachmentsIn(plain).size > 0) {
                    pasteOfOther(view, plain, mark);
                    return true;
                }
                const html = data.getData("text/html");
                const isPicture = plain === "" && data.files.length > 0;
                const isSource = html.includes(ownMark) || data.types.includes("vscode-editor-data");
                const document = html === "" || isPicture || isSource ? "plain" : documentOf(html);
                if (document === "too long") notify(texts.say("editor.pasted.long"), undefined, "failure");
                if (typeof document === "string" || document.text === plain) return false;
                pasteDocument(view, document, plain);
                return true;
            },
            copy: ({ clipboardData: data }, { state }) => copy(data, state, account),
            cut({ clipboardData: data }, view) {
                if (!copy(data, view.state, account)) return false;
                const { from, to } = view.state.selection.main;
                if (!view.state.readOnly) {
                    view.dispatch({ changes: { from, to }, scrollIntoView: true, userEvent: "delete.cut" });
                }
                return true;
            },
        }),
    ];
}

/**
 * Copies the selected text as Markdown and as HTML. Returns false if nothing is selected.
 * @param {DataTransfer | null} data
 * @param {EditorState} state
 * @param {string} account the mark of the text's account
 */
function copy(data, state, account) {
    const { from, to, empty } = state.selection.main;
    if (!data || empty) return false;
    const text = state.sliceDoc(from, to);
    const content = render(text);
    const [only, ...others] = content.childNodes;
    // Other programs would begin a paragraph for words within a line.
    const isWords = only instanceof HTMLParagraphElement && others.length === 0;
    data.setData("text/plain", text);
    data.setData("text/html", h("div", { [ownMark]: true }, isWords ? [...only.childNodes] : content).outerHTML);
    if (attachmentsIn(text).size > 0) data.setData(accountType, account);
    return true;
}

/** Returns true if the selection begins in code, where signs are text. @param {EditorState} state */
function isInCode(state) {
    const { from } = state.selection.main;
    const tree = ensureSyntaxTree(state, from, parsingTime) ?? syntaxTree(state);
    let isFound = false;
    tree.iterate({
        from,
        to: from,
        enter({ name, from: start, to: end }) {
            const isBlock = name === "FencedCode" || name === "CodeBlock";
            if (isBlock || name === "InlineCode") isFound ||= from > start && (from < end || (isBlock && from === end));
        },
    });
    return isFound;
}

/**
 * Returns the change that makes a link of the selected words, or null if the words cannot be one.
 * @param {EditorState} state
 * @param {string} address
 */
function linkOver(state, address) {
    const { from, to, empty } = state.selection.main;
    const target = isBareLink(address) ? addressTarget(address) : address;
    if (empty || /\s/.test(target) || !safe(target)) return null;
    const selected = state.sliceDoc(from, to);
    const words = selected.trim();
    if (words === "" || isBareLink(words) || safe(words)) return null;
    const insert = `[${words}](${addressText(target)})`;
    const [block, ...others] = parse(insert);
    const isLink = block?.kind === "paragraph" && block.content.length === 1 && block.content[0].kind === "link";
    if (!isLink || others.length > 0 || words.includes("\n")) return null;
    const start = from + selected.indexOf(words);
    return {
        changes: { from: start, to: start + words.length, insert },
        selection: { anchor: start + insert.length },
    };
}

/**
 * Returns the change that inserts a document at the selection: indented in a list item or a quote, and with blank lines
 * to the text around if it begins or ends with a block that is no paragraph. `end` is the offset of the caret.
 * @param {EditorState} state
 * @param {PastedDocument} document
 */
function fitted({ doc, selection }, { text, isParagraph, startsWith, endsWith }) {
    const { from, to } = selection.main;
    const line = doc.lineAt(from);
    const last = doc.lineAt(to);
    const written = line.text.slice(0, from - line.from);
    const [container] = /** @type {RegExpExecArray} */ (/^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)?/.exec(written));
    const [indent] = /** @type {RegExpExecArray} */ (/^[\s>]*/.exec(container));
    const words = written
        .slice(container.length)
        .replace(/^\[[ xX]\]\s+/, "")
        .trim();
    // A pasted list goes on with the list whose item is empty.
    const isGoingOn = startsWith === "list" && indent !== container && words === "";
    // A document that begins with another block ends the list after an item with words.
    const isLeaving = startsWith !== "paragraph" && words !== "";
    const prefix = isGoingOn || isLeaving ? indent : container.replace(/[^\s>]/g, " ");
    const begin = (/** @type {string} */ each, /** @type {number} */ index) =>
        index === 0 ? each : each === "" ? prefix.trimEnd() : prefix + each;
    const isBlank = (/** @type {number} */ number) =>
        number < 1 || number > doc.lines || doc.line(number).text.trim() === "";

    let before = "";
    if (startsWith !== "paragraph" && !isGoingOn) {
        if (words !== "") before = startsWith === "list" && indent !== container ? "\n" : "\n\n";
        else if (container === indent && !isBlank(line.number - 1)) before = "\n";
    }
    let after = "";
    if (!isParagraph && doc.sliceString(to, last.to).trim() !== "") after = "\n\n";
    else if (endsWith !== "paragraph" && !isBlank(last.number + 1)) after = "\n";
    const inserted = (before + text).split("\n").map(begin).join("\n");
    return {
        from: isGoingOn ? line.from + indent.length : from,
        to,
        insert: inserted + after,
        end: inserted.length,
    };
}
