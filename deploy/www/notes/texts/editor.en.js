/** English, of the editor. */

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    "editor.title": "Title",
    "editor.body": "Text of the note",
    "editor.body.empty": "Write something …",
    "editor.untitled": "Note without a title",
    "editor.pin": "Pin to the top",
    "editor.preview": "Preview",
    "editor.checklist": "Checklist: make or tick tasks",
    "editor.more": "More",
    "editor.history": "History",
    "editor.copy": "Copy the link",
    "editor.copied": "The link was copied. It opens the note for you alone.",
    "editor.trash": "Move to the trash",
    "editor.replaced": "Some of that was no character and cannot be kept; it is shown as �.",
    "editor.in.trash": "This note is in the trash.",
    "editor.trashed": "This note was moved to the trash meanwhile.",
    "editor.take.out": "Take it out",
    "editor.gone": "This note was removed for good meanwhile. Its text is still here, in this tab.",
    "editor.keep": "Keep it as a new note",
    "editor.refused": "The server refuses the last change: {detail}",
    "editor.discard": "Discard the change",
    "editor.failed": "What you write cannot be put on this device at the moment: {detail} It is tried again.",
    "editor.unsaved": "What was written could not be put on this device.",
    "editor.none": "There is no such note",
    "editor.none.detail": "It was removed for good, or it has not come to this device yet.",
};
