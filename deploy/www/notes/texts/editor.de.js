/** German, of the editor. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    "editor.title": "Titel",
    "editor.body": "Text der Notiz",
    "editor.body.empty": "Etwas schreiben …",
    "editor.untitled": "Notiz ohne Titel",
    "editor.pin": "Oben anheften",
    "editor.preview": "Vorschau",
    "editor.checklist": "Checkliste: Aufgaben anlegen oder abhaken",
    "editor.more": "Mehr",
    "editor.history": "Verlauf",
    "editor.copy": "Link kopieren",
    "editor.copied": "Der Link ist kopiert. Er öffnet die Notiz nur für dich.",
    "editor.trash": "In den Papierkorb legen",
    "editor.replaced": "Ein Teil davon war kein Zeichen und kann nicht aufbewahrt werden; er erscheint als �.",
    "editor.in.trash": "Diese Notiz liegt im Papierkorb.",
    "editor.trashed": "Diese Notiz wurde inzwischen in den Papierkorb gelegt.",
    "editor.take.out": "Herausnehmen",
    "editor.gone": "Diese Notiz wurde inzwischen endgültig gelöscht. Ihr Text ist noch hier, in diesem Tab.",
    "editor.keep": "Als neue Notiz behalten",
    "editor.refused": "Der Server lehnt die letzte Änderung ab: {detail}",
    "editor.discard": "Änderung verwerfen",
    "editor.failed":
        "Was du schreibst, kann gerade nicht auf diesem Gerät abgelegt werden: {detail} Es wird wieder versucht.",
    "editor.unsaved": "Was geschrieben wurde, konnte nicht auf diesem Gerät abgelegt werden.",
    "editor.none": "Diese Notiz gibt es nicht",
    "editor.none.detail": "Sie wurde endgültig gelöscht oder ist noch nicht auf diesem Gerät.",
};
