/** English, of a note's history. */

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    "history.title": "History",
    "history.back": "Back to the note",
    "history.loading": "The history is read from the server …",
    "history.offline": "The history is on the server, which cannot be reached at the moment. The note itself is here.",
    "history.signed.out": "The history is on the server: sign in again to read it. The note itself is here.",
    "history.unknown": "The server does not have this note yet, so it has no history.",
    "history.none": "The server keeps no text of this note’s past.",
    "history.version": "Version",
    "history.of": "Version {k} of {n}, {time}",
    "history.older": "Older versions",
    "history.view": "What is shown",
    "history.changes": "What this version changed",
    "history.blame": "When each paragraph was written",
    "history.text": "Text of the version",
    "history.empty": "This version has no text.",
    "history.restore": "Restore",
    "history.copy": "Restore a copy",
    "history.restored": "The note has its text of {time} again.",
    "history.copied": "A new note has the text of {time}.",
    "history.gone": "The note is not on this device any more. Restore a copy instead.",
};
