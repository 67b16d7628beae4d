/** English, of import and export. */

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    "move.import": "Import",
    "move.import.hint":
        "You see what’s included before anything is imported. You can import the same file again: notes you already have don’t change.",
    "move.from.keep": "Google Keep: the archive of Google Takeout",
    "move.from.evernote": "Evernote: notebooks as .enex files",
    "move.from.bear": "Bear: a backup (.bear2bk) or TextBundle",
    "move.from.obsidian": "Obsidian: the folder of the vault",
    "move.from.joplin": "Joplin: the export “Markdown + Front Matter”",
    "move.from.simplenote": "Simplenote: the archive, or its notes.json",
    "move.from.markdown": "Almanac, Notion, Hugo and others: Markdown files",
    "move.drop": "Drop files or a folder here, or",
    "move.drop.refused": "Files can’t be imported here",
    "move.file": "Choose files",
    "move.folder": "Choose folder",
    "move.reading": "Reading…",
    "move.will": { one: "{n} note will be imported.", other: "{n} notes will be imported." },
    "move.will.files": {
        one: "{n} picture or file will be imported.",
        other: "{n} pictures and files will be imported.",
    },
    "move.will.none": "Nothing to import.",
    "move.facts.tags": { one: "{n} tag", other: "{n} tags" },
    "move.facts.pinned": { one: "{n} pinned", other: "{n} pinned" },
    "move.facts.trashed": { one: "{n} in Trash", other: "{n} in Trash" },
    "move.facts.files": { one: "{n} picture or file", other: "{n} pictures and files" },
    "move.facts.edited": "last edited {time}",
    "move.same": { one: "{n} note already exists.", other: "{n} notes already exist." },
    "move.take": { one: "Import {n} note", other: "Import {n} notes" },
    "move.take.files": { one: "Import {n} file", other: "Import {n} files" },
    "move.taking": "Importing…",
    "move.taken": { one: "{n} note imported.", other: "{n} notes imported." },
    "move.taken.files": { one: "{n} picture or file imported.", other: "{n} pictures and files imported." },
    "move.stopped": {
        one: "The import stopped after {n} note. Import the same file again to get the rest.",
        other: "The import stopped after {n} notes. Import the same file again to get the rest.",
    },
    "move.remark.resource": {
        one: "{n} picture or file skipped: no note shows it or links to it",
        other: "{n} pictures or files skipped: no note shows them or links to them",
    },
    "move.remark.file-missing": {
        one: "{n} note refers to pictures or files that aren’t there",
        other: "{n} notes refer to pictures or files that aren’t there",
    },
    "move.remark.file-empty": {
        one: "{n} picture or file skipped: empty",
        other: "{n} pictures or files skipped: empty",
    },
    "move.remark.file-too-large": {
        one: "{n} picture or file skipped: larger than the server allows",
        other: "{n} pictures or files skipped: larger than the server allows",
    },
    "move.remark.file-no-room": {
        one: "{n} picture or file skipped: too much for one import. Import the notes in parts",
        other: "{n} pictures or files skipped: too much for one import. Import the notes in parts",
    },
    "move.remark.file-unread": {
        one: "{n} picture or file skipped: can’t be read",
        other: "{n} pictures or files skipped: can’t be read",
    },
    "move.remark.file-as-is": {
        one: "{n} picture is damaged and stays a file, with its location if it has one",
        other: "{n} pictures are damaged and stay files, with their locations if they have any",
    },
    "move.remark.file-not-here": {
        one: "{n} picture or file is missing in the archive: it isn’t on this device and can’t be fetched now",
        other: "{n} pictures or files are missing in the archive: they aren’t on this device and can’t be fetched now",
    },
    "move.remark.too-many-files": {
        one: "{n} note skipped: names more than 1,000 pictures and files",
        other: "{n} notes skipped: name more than 1,000 pictures and files",
    },
    "move.remark.not-a-note": {
        one: "{n} file or entry skipped: not a note",
        other: "{n} files or entries skipped: not notes",
    },
    "move.remark.archived": {
        one: "{n} archived note gets the tag “archived”: notes can’t be archived here",
        other: "{n} archived notes get the tag “archived”: notes can’t be archived here",
    },
    "move.remark.damaged": {
        one: "{n} note skipped: its file is damaged",
        other: "{n} notes skipped: their files are damaged",
    },
    "move.remark.no-text": {
        one: "{n} note skipped: has no title and no text",
        other: "{n} notes skipped: have no title and no text",
    },
    "move.remark.details": {
        one: "{n} note loses details that notes here don’t have",
        other: "{n} notes lose details that notes here don’t have",
    },
    "move.remark.encrypted-text": {
        one: "{n} note has encrypted text, which becomes 🔒 and its hint",
        other: "{n} notes have encrypted text, which becomes 🔒 and its hint",
    },
    "move.remark.note-links": {
        one: "{n} note has links to notes that aren’t in the file; their words stay",
        other: "{n} notes have links to notes that aren’t in the file; their words stay",
    },
    "move.remark.not-evernote": {
        one: "{n} file skipped: not an Evernote export",
        other: "{n} files skipped: not Evernote exports",
    },
    "move.remark.xml-damaged": {
        one: "{n} file is damaged or ends early: only the notes before are imported",
        other: "{n} files are damaged or end early: only the notes before are imported",
    },
    "move.remark.wiki-links": {
        one: "{n} note keeps [[links]] in its text that lead to none of these notes",
        other: "{n} notes keep [[links]] in their text that lead to none of these notes",
    },
    "move.detail.author": "author",
    "move.detail.location": "location",
    "move.detail.reminder": "reminder",
    "move.detail.due": "due date",
    "move.detail.color": "color",
    "move.detail.sharing": "sharing",
    "move.detail.formatting": "formatting",
    "move.remark.not-text": {
        one: "{n} file skipped: not UTF-8 text",
        other: "{n} files skipped: not UTF-8 text",
    },
    "move.remark.front-matter": {
        one: "{n} note keeps its front matter in the text: it can’t be read",
        other: "{n} notes keep their front matter in the text: it can’t be read",
    },
    "move.remark.fields": {
        one: "{n} note keeps fields in its text that aren’t supported",
        other: "{n} notes keep fields in their text that aren’t supported",
    },
    "move.remark.text-tags": {
        one: "{n} note gets tags from the #tags in its text; the text doesn’t change",
        other: "{n} notes get tags from the #tags in their text; the text doesn’t change",
    },
    "move.remark.empty": {
        one: "{n} note skipped: empty and in Trash",
        other: "{n} notes skipped: empty and in Trash",
    },
    "move.remark.unfit-text": {
        one: "{n} note skipped: contains U+0000 or half of a character",
        other: "{n} notes skipped: contain U+0000 or half of a character",
    },
    "move.remark.title-too-long": {
        one: "{n} note skipped: title longer than 1 KiB",
        other: "{n} notes skipped: titles longer than 1 KiB",
    },
    "move.remark.body-too-long": {
        one: "{n} note skipped: text longer than 1 MiB",
        other: "{n} notes skipped: texts longer than 1 MiB",
    },
    "move.remark.tag": {
        one: "{n} tag skipped: tags can have 1 to 64 characters and no control characters",
        other: "{n} tags skipped: tags can have 1 to 64 characters and no control characters",
    },
    "move.remark.too-many-tags": {
        one: "{n} tag skipped: a note can have up to 32",
        other: "{n} tags skipped: a note can have up to 32",
    },
    "move.remark.too-many-notes": {
        one: "{n} note skipped: an account can have up to 10,000",
        other: "{n} notes skipped: an account can have up to 10,000",
    },
    "move.remark.different": {
        one: "{n} note already exists with different text and isn’t changed",
        other: "{n} notes already exist with different text and aren’t changed",
    },
    "move.remark.another": {
        one: "{n} file has the same path as another note and becomes a separate note",
        other: "{n} files have the same paths as other notes and become separate notes",
    },
    "move.remark.too-large": {
        one: "{n} file skipped: larger than 64 MiB",
        other: "{n} files skipped: larger than 64 MiB",
    },
    "move.remark.zip-damaged": {
        one: "{n} file skipped: damaged in the archive",
        other: "{n} files skipped: damaged in the archive",
    },
    "move.remark.zip-large": {
        one: "{n} archive skipped: more than 50,000 files or 256 MiB in total",
        other: "{n} archives skipped: more than 50,000 files or 256 MiB in total",
    },
    "move.remark.zip-name": {
        one: "{n} file skipped: unsafe path that leads outside the archive",
        other: "{n} files skipped: unsafe paths that lead outside the archive",
    },
    "move.remark.zip-encrypted": {
        one: "{n} file skipped: encrypted. Create an archive without a password",
        other: "{n} files skipped: encrypted. Create an archive without a password",
    },
    "move.remark.zip-method": {
        one: "{n} file skipped: its compression method isn’t supported",
        other: "{n} files skipped: their compression method isn’t supported",
    },
    "move.refused.nothing": "No notes of a known format found.",
    "move.refused.not-evernote": "This isn’t an Evernote export: it has no “en-export” element.",
    "move.refused.xml-damaged": "This Evernote export is damaged or ends early. Export the notebook again.",
    "move.refused.not-text": "This file isn’t UTF-8 text:",
    "move.refused.not-json": "This file isn’t valid JSON.",
    "move.refused.not-simplenote": "This isn’t a Simplenote export: it has no “activeNotes” list.",
    "move.refused.unfit-json": "This file contains characters that a note can’t store (U+0000 or half of a character).",
    "move.refused.not-a-note": "This file isn’t a note:",
    "move.refused.too-large": "This file is larger than 64 MiB:",
    "move.refused.zip-damaged": "This isn’t a zip archive, or it’s damaged.",
    "move.refused.zip-large":
        "Too much for one import. The limits are 50,000 files, 64 MiB per file and 256 MiB in total.",
    "move.refused.zip-name": "This archive contains a file with an unsafe path that leads outside the archive:",
    "move.refused.zip-encrypted": "This archive is encrypted. Create one without a password.",
    "move.refused.zip-method": "This archive uses a compression method that isn’t supported.",
    "move.export": "Export",
    "move.export.hint": "All notes on this device, including Trash, with their pictures and files, in one zip archive.",
    "move.form": "Format",
    "move.form.markdown": "Markdown",
    "move.form.markdown.hint":
        "One file per note, with title, dates, tags and pin as front matter. Can be imported again without changes.",
    "move.form.simplenote": "Simplenote",
    "move.form.simplenote.hint": "The format that Simplenote exports and imports, without pictures and files.",
    "move.form.joplin": "Joplin",
    "move.form.joplin.hint": "Markdown + Front Matter in folders, without pins and Trash.",
    "move.export.button": "Export",
    "move.exported": { one: "{n} file exported.", other: "{n} files exported." },
};
