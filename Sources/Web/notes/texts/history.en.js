/** English, of a note's history. */

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    "history.title": "History",
    "history.back": "Back to the note",
    "history.loading": "Loading history…",
    "history.offline":
        "History is stored on the server, which can’t be reached right now. You can still edit the note.",
    "history.signed.out": "Sign in to see this note’s history. You can still edit the note.",
    "history.unknown": "This note hasn’t synced yet, so it has no history.",
    "history.none": "No earlier versions of this note are kept.",
    "history.version": "Version",
    "history.of": "Version {k} of {n}, {time}",
    "history.older": "Show older versions",
    "history.view": "View",
    "history.changes": "Changes in this version",
    "history.blame": "Paragraph dates",
    "history.text": "Full text",
    "history.empty": "This version is empty.",
    "history.copy": "Restore as a copy",
    "history.restored": "Restored the version from {time}.",
    "history.copied": "Created a new note from the version of {time}.",
    "history.gone": "This note is no longer on this device. Restore it as a copy instead.",
};
