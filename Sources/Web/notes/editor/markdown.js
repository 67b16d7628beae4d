/** Markdown in the editor: styles, tasks that tick, links that open, lists that continue. */
import {
    Decoration,
    defineLanguageFacet,
    EditorSelection,
    EditorView,
    Language,
    syntaxTree,
    ViewPlugin,
} from "codemirror";
import { targetOf } from "../markdown/inlines.js";
import { parser } from "../markdown/parser.js";
import { safe } from "../markdown/render.js";
import { enter, toggleTasks } from "./lists.js";

/** @import { ChangeSpec, EditorState, Range, SyntaxNode, ViewUpdate } from "codemirror" */

export const language = new Language(defineLanguageFacet(), parser, [], "markdown");

/** The styles of lines by block. @type {Record<string, string>} */
const lineKinds = { Blockquote: "quote", CodeBlock: "fenced", FencedCode: "fenced", HorizontalRule: "rule" };
/** The styles of parts of lines. @type {Record<string, string>} */
const partKinds = {
    Emphasis: "emphasis",
    HeaderMark: "sign",
    InlineCode: "code",
    ListMark: "sign",
    QuoteMark: "sign",
    Strikethrough: "strike",
    StrongEmphasis: "strong",
    TaskMarker: "task",
};
const links = new Set(["Autolink", "Image", "Link"]);

/** Returns the styles of a block's lines, such as `heading heading-2`. @param {string} name */
function lineKindOf(name) {
    const level = /^ATXHeading(\d)$|^SetextHeading(1)$/.exec(name)?.slice(1).join("");
    return level ? `heading heading-${level}` : lineKinds[name];
}

/**
 * Returns the style of a part of a line.
 * @param {EditorState} state
 * @param {SyntaxNode} node
 * @returns {{ from: number, to: number, class: string, attributes?: Record<string, string> } | null}
 */
function partOf(state, { name, from, to, node }) {
    if (links.has(name) || (name === "URL" && !links.has(node.parent?.name ?? ""))) {
        const address = safe(targetOf({ slice: (from, to) => state.sliceDoc(from, to) }, node));
        return { from, to, class: "cm-md-link", attributes: address === null ? {} : { "data-address": address } };
    }
    const mark = name === "Task" ? node.firstChild : null;
    if (mark && /x/i.test(state.sliceDoc(mark.from, mark.to))) return { from: mark.to, to, class: "cm-md-done" };
    return partKinds[name] ? { from, to, class: `cm-md-${partKinds[name]}` } : null;
}

/** @param {Pick<EditorView, "state" | "visibleRanges">} view */
export function decorated({ state, visibleRanges }) {
    /** @type {Range<Decoration>[]} */
    const found = [];
    for (const range of visibleRanges) {
        syntaxTree(state).iterate({
            ...range,
            enter(node) {
                const lineKind = lineKindOf(node.name);
                if (lineKind) {
                    const look = Decoration.line({ class: lineKind.replace(/\S+/g, "cm-md-$&") });
                    const end = Math.min(node.to, range.to);
                    for (let at = Math.max(node.from, range.from); at <= end; ) {
                        const line = state.doc.lineAt(at);
                        found.push(look.range(line.from));
                        at = line.to + 1;
                    }
                }
                const part = partOf(state, node);
                if (part && part.from < part.to) found.push(Decoration.mark(part).range(part.from, part.to));
            },
        });
    }
    return Decoration.set(found, true);
}

const looks = ViewPlugin.fromClass(
    class {
        /** @param {EditorView} view */
        constructor(view) {
            this.decorations = decorated(view);
        }

        /** @param {ViewUpdate} update */
        update({ view, startState, state, docChanged, viewportChanged }) {
            const isParsed = syntaxTree(startState) !== syntaxTree(state);
            if (docChanged || viewportChanged || isParsed) this.decorations = decorated(view);
        }
    },
    { decorations: (plugin) => plugin.decorations },
);

/** Turns the selected lines into tasks, or ticks them. @param {EditorView} view */
export function toggleChecklist(view) {
    if (view.state.readOnly) return;
    const { changes } = view.state.update({ changes: toggleTasks(view.state) });
    const { anchor, head } = view.state.selection.main;
    view.dispatch({
        changes,
        selection: { anchor: changes.mapPos(anchor, 1), head: changes.mapPos(head, 1) },
        scrollIntoView: true,
        userEvent: "input",
    });
    view.focus();
}

/** @param {EditorView} view */
function goOn(view) {
    const { state } = view;
    const { selection, readOnly } = state;
    if (readOnly || !selection.main.empty || selection.ranges.length > 1) return false;
    const changes = enter(state, selection.main.head);
    if (!changes) return false;
    const anchor = changes.from + changes.insert.length;
    view.dispatch({ changes, selection: { anchor }, scrollIntoView: true, userEvent: "input" });
    return true;
}

/** Puts a Markdown sign around the selection, or removes the sign. @param {string} sign */
const surround = (sign) => (/** @type {EditorView} */ view) => {
    if (view.state.readOnly) return true;
    const wide = sign.length;
    const spec = view.state.changeByRange(({ from, to }) => {
        const { doc } = view.state;
        const isInside = doc.sliceString(from - wide, from) === sign && doc.sliceString(to, to + wide) === sign;
        /** @type {ChangeSpec} */
        const changes = isInside
            ? [
                  { from: from - wide, to: from },
                  { from: to, to: to + wide },
              ]
            : [
                  { from, insert: sign },
                  { from: to, insert: sign },
              ];
        const moved = isInside ? -wide : wide;
        return { changes, range: EditorSelection.range(from + moved, to + moved) };
    });
    view.dispatch(view.state.update(spec, { scrollIntoView: true, userEvent: "input" }));
    return true;
};

/** Ticks the task whose box is at an offset. @param {EditorView} view @param {number} place */
function tickAt(view, place) {
    if (view.state.readOnly) return false;
    const from = place + 1;
    const insert = view.state.sliceDoc(from, from + 1) === " " ? "x" : " ";
    view.dispatch({ changes: { from, to: from + 1, insert }, userEvent: "input" });
    return true;
}

const presses = EditorView.domEventHandlers({
    mousedown(event, view) {
        if (event.button !== 0 || !(event.target instanceof Element)) return false;
        const address = event.target.closest("[data-address]")?.getAttribute("data-address");
        // A tap opens the link unless the editor has the focus; otherwise the tap places the caret.
        const isRead = !view.hasFocus && matchMedia("(pointer: coarse)").matches;
        if (address && (event.ctrlKey || event.metaKey || isRead)) {
            event.preventDefault();
            window.open(address, "_blank", "noopener,noreferrer");
            return true;
        }
        const box = event.target.closest(".cm-md-task");
        if (!box || event.shiftKey) return false;
        event.preventDefault();
        return tickAt(view, view.posAtDOM(box));
    },
});

const look = EditorView.theme({
    ".cm-md-heading": { fontWeight: "650", lineHeight: "1.35" },
    ".cm-md-heading-1": { fontSize: "1.45em" },
    ".cm-md-heading-2": { fontSize: "1.25em" },
    ".cm-md-heading-3": { fontSize: "1.1em" },
    ".cm-md-sign": { color: "var(--soft)", fontWeight: "400" },
    ".cm-md-strong": { fontWeight: "700" },
    ".cm-md-emphasis": { fontStyle: "italic" },
    ".cm-md-strike, .cm-md-done": { textDecoration: "line-through", color: "var(--soft)" },
    ".cm-md-code": { fontFamily: "var(--mono)", fontSize: "0.925em", backgroundColor: "var(--sunken)" },
    ".cm-md-fenced": { fontFamily: "var(--mono)", fontSize: "0.925em", backgroundColor: "var(--sunken)" },
    ".cm-md-quote": { borderInlineStart: "3px solid var(--line)", paddingInlineStart: "0.75em", color: "var(--soft)" },
    ".cm-md-rule": { color: "var(--soft)" },
    ".cm-md-link": { color: "var(--accent)", textDecoration: "underline", textUnderlineOffset: "0.15em" },
    ".cm-md-task": { fontFamily: "var(--mono)", color: "var(--accent)", cursor: "pointer", fontWeight: "700" },
});

export const markdown = [language, looks, presses, look];

/** @type {readonly import("codemirror").KeyBinding[]} */
export const markdownKeys = [
    { key: "Enter", run: goOn },
    { key: "Mod-b", run: surround("**"), preventDefault: true },
    { key: "Mod-i", run: surround("*"), preventDefault: true },
];
