/** English, of import and export. */

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    "move.title": "Import and export",
    "move.import": "Import",
    "move.import.hint":
        "An export of Almanac, Simplenote’s (the archive or its notes.json), Joplin’s “Markdown + front matter”, or " +
        "Markdown files of any program, such as Obsidian, Bear, Notion or Hugo. You are told what will come in before it does. The same file can be imported again: notes that " +
        "are here already stay as they are.",
    "move.drop": "Drop a file or a folder here, or",
    "move.file": "Choose files",
    "move.folder": "Choose a folder",
    "move.reading": "Reading …",
    "move.will": { one: "{n} note will come in.", other: "{n} notes will come in." },
    "move.will.none": "There is nothing that would come in.",
    "move.same": { one: "{n} note is here already.", other: "{n} notes are here already." },
    "move.take": { one: "Import {n} note", other: "Import {n} notes" },
    "move.cancel": "Cancel",
    "move.taking": "The notes come in …",
    "move.taken": { one: "{n} note has come in.", other: "{n} notes have come in." },
    "move.stopped": {
        one: "{n} note has come in, then it stopped. Import the same file again for the rest.",
        other: "{n} notes have come in, then it stopped. Import the same file again for the rest.",
    },
    "move.more": { one: "and {n} more", other: "and {n} more" },
    "move.remark.resource": {
        one: "{n} attachment is left out: only notes come in",
        other: "{n} attachments are left out: only notes come in",
    },
    "move.remark.not-a-note": {
        one: "{n} file or entry is left out: it is no note",
        other: "{n} files or entries are left out: they are no notes",
    },
    "move.remark.not-text": {
        one: "{n} file is left out: it is no UTF-8",
        other: "{n} files are left out: they are no UTF-8",
    },
    "move.remark.front-matter": {
        one: "{n} note keeps its front matter in the text, because it can’t be read",
        other: "{n} notes keep their front matter in the text, because it can’t be read",
    },
    "move.remark.fields": {
        one: "{n} note keeps fields in its text that notes don’t have here",
        other: "{n} notes keep fields in their texts that notes don’t have here",
    },
    "move.remark.text-tags": {
        one: "{n} note takes the #tags in its text as tags; the text stays as it is",
        other: "{n} notes take the #tags in their texts as tags; the texts stay as they are",
    },
    "move.remark.empty": {
        one: "{n} note is left out: it is empty, and in the trash",
        other: "{n} notes are left out: they are empty, and in the trash",
    },
    "move.remark.unfit-text": {
        one: "{n} note is left out: it holds U+0000 or half a character",
        other: "{n} notes are left out: they hold U+0000 or half a character",
    },
    "move.remark.title-too-long": {
        one: "{n} note is left out: its title is longer than 1 KiB",
        other: "{n} notes are left out: their titles are longer than 1 KiB",
    },
    "move.remark.body-too-long": {
        one: "{n} note is left out: its text is longer than 1 MiB",
        other: "{n} notes are left out: their texts are longer than 1 MiB",
    },
    "move.remark.tag": {
        one: "{n} tag is left out: tags have 1 to 64 characters, and no control characters",
        other: "{n} tags are left out: tags have 1 to 64 characters, and no control characters",
    },
    "move.remark.too-many-tags": {
        one: "{n} tag is left out: a note has 32 at most",
        other: "{n} tags are left out: a note has 32 at most",
    },
    "move.remark.too-many-notes": {
        one: "{n} note is left out: an account has 10,000 at most",
        other: "{n} notes are left out: an account has 10,000 at most",
    },
    "move.remark.different": {
        one: "{n} note is here already with another text, which stays",
        other: "{n} notes are here already with other texts, which stay",
    },
    "move.remark.another": {
        one: "{n} file has the path of another note, and becomes a note of its own",
        other: "{n} files have the paths of other notes, and become notes of their own",
    },
    "move.remark.too-large": {
        one: "{n} file is left out: it is larger than 64 MiB",
        other: "{n} files are left out: they are larger than 64 MiB",
    },
    "move.remark.zip-damaged": {
        one: "{n} file is left out: it is damaged in the archive",
        other: "{n} files are left out: they are damaged in the archive",
    },
    "move.remark.zip-large": {
        one: "{n} archive is left out: it holds more than the page reads",
        other: "{n} archives are left out: they hold more than the page reads",
    },
    "move.remark.zip-name": {
        one: "{n} file is left out: its name leads out of the archive",
        other: "{n} files are left out: their names lead out of the archive",
    },
    "move.remark.zip-encrypted": {
        one: "{n} file is left out: it is encrypted. Make an archive without a password",
        other: "{n} files are left out: they are encrypted. Make an archive without a password",
    },
    "move.remark.zip-method": {
        one: "{n} file is left out: it is compressed in a way that can’t be read here",
        other: "{n} files are left out: they are compressed in a way that can’t be read here",
    },
    "move.refused.nothing": "There are no Markdown files in it, and no notes.json of Simplenote’s.",
    "move.refused.not-json": "This is no JSON.",
    "move.refused.not-simplenote": "This JSON is not what Simplenote exports: it has no list “activeNotes”.",
    "move.refused.unfit-json": "This JSON holds U+0000 or half a character, which no note can hold.",
    "move.refused.too-large": "This file is larger than 64 MiB:",
    "move.refused.zip-damaged": "This is no zip archive, or a damaged one.",
    "move.refused.zip-large":
        "The archive holds more than the page reads: 20,000 files, 64 MiB in one, 256 MiB in all.",
    "move.refused.zip-name": "The archive has a file whose name leads out of it:",
    "move.refused.zip-encrypted": "The archive is encrypted. Make one without a password.",
    "move.refused.zip-method": "The archive is compressed in a way that the page does not know.",
    "move.export": "Export",
    "move.export.hint": "All notes that are on this device, those in the trash too, in one zip archive.",
    "move.form": "Form",
    "move.form.markdown": "Markdown",
    "move.form.markdown.hint":
        "A file for each note, with title, times, tags and pin as front matter. Comes in again as it is.",
    "move.form.simplenote": "Simplenote",
    "move.form.simplenote.hint": "What Simplenote exports, and imports.",
    "move.form.joplin": "Joplin",
    "move.form.joplin.hint":
        "Markdown + front matter in folders. Without pins and the trash, which Joplin does not export.",
    "move.export.button": "Export",
    "move.exported": { one: "{n} file is in the archive.", other: "{n} files are in the archive." },
};
