/** German, of import and export. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    "move.title": "Import und Export",
    "move.import": "Import",
    "move.import.hint":
        "Ein Export von Almanac, der von Simplenote (das Archiv oder die notes.json darin), Joplins „Markdown + Front " +
        "Matter“ oder Markdown-Dateien beliebiger Programme wie Obsidian, Bear, Notion oder Hugo. Was hereinkommt, steht hier, bevor es geschieht. Dieselbe Datei kann " +
        "noch einmal importiert werden: Notizen, die schon da sind, bleiben, wie sie sind.",
    "move.drop": "Eine Datei oder einen Ordner hier ablegen, oder",
    "move.file": "Dateien wählen",
    "move.folder": "Einen Ordner wählen",
    "move.reading": "Wird gelesen …",
    "move.will": { one: "{n} Notiz kommt herein.", other: "{n} Notizen kommen herein." },
    "move.will.none": "Es ist nichts dabei, das hereinkäme.",
    "move.same": { one: "{n} Notiz ist schon da.", other: "{n} Notizen sind schon da." },
    "move.take": { one: "{n} Notiz importieren", other: "{n} Notizen importieren" },
    "move.cancel": "Abbrechen",
    "move.taking": "Die Notizen kommen herein …",
    "move.taken": { one: "{n} Notiz ist hereingekommen.", other: "{n} Notizen sind hereingekommen." },
    "move.stopped": {
        one: "{n} Notiz ist hereingekommen, dann ging es nicht weiter. Für den Rest dieselbe Datei noch einmal importieren.",
        other: "{n} Notizen sind hereingekommen, dann ging es nicht weiter. Für den Rest dieselbe Datei noch einmal importieren.",
    },
    "move.more": { one: "und {n} weitere", other: "und {n} weitere" },
    "move.remark.resource": {
        one: "{n} Anhang bleibt weg: Nur Notizen kommen herein",
        other: "{n} Anhänge bleiben weg: Nur Notizen kommen herein",
    },
    "move.remark.not-a-note": {
        one: "{n} Datei oder Eintrag bleibt weg: Das ist keine Notiz",
        other: "{n} Dateien oder Einträge bleiben weg: Das sind keine Notizen",
    },
    "move.remark.not-text": {
        one: "{n} Datei bleibt weg: Das ist kein UTF-8",
        other: "{n} Dateien bleiben weg: Das ist kein UTF-8",
    },
    "move.remark.front-matter": {
        one: "{n} Notiz behält ihre Front Matter im Text, weil sie nicht lesbar ist",
        other: "{n} Notizen behalten ihre Front Matter im Text, weil sie nicht lesbar ist",
    },
    "move.remark.fields": {
        one: "{n} Notiz behält Felder im Text, die Notizen hier nicht haben",
        other: "{n} Notizen behalten Felder im Text, die Notizen hier nicht haben",
    },
    "move.remark.text-tags": {
        one: "{n} Notiz nimmt die #Schlagwörter in ihrem Text als Schlagwörter; der Text bleibt, wie er ist",
        other: "{n} Notizen nehmen die #Schlagwörter in ihren Texten als Schlagwörter; die Texte bleiben, wie sie sind",
    },
    "move.remark.empty": {
        one: "{n} Notiz bleibt weg: Sie ist leer und im Papierkorb",
        other: "{n} Notizen bleiben weg: Sie sind leer und im Papierkorb",
    },
    "move.remark.unfit-text": {
        one: "{n} Notiz bleibt weg: Sie enthält U+0000 oder ein halbes Zeichen",
        other: "{n} Notizen bleiben weg: Sie enthalten U+0000 oder ein halbes Zeichen",
    },
    "move.remark.title-too-long": {
        one: "{n} Notiz bleibt weg: Ihr Titel ist länger als 1 KiB",
        other: "{n} Notizen bleiben weg: Ihre Titel sind länger als 1 KiB",
    },
    "move.remark.body-too-long": {
        one: "{n} Notiz bleibt weg: Ihr Text ist länger als 1 MiB",
        other: "{n} Notizen bleiben weg: Ihre Texte sind länger als 1 MiB",
    },
    "move.remark.tag": {
        one: "{n} Schlagwort bleibt weg: Schlagwörter haben 1 bis 64 Zeichen und keine Steuerzeichen",
        other: "{n} Schlagwörter bleiben weg: Schlagwörter haben 1 bis 64 Zeichen und keine Steuerzeichen",
    },
    "move.remark.too-many-tags": {
        one: "{n} Schlagwort bleibt weg: Eine Notiz hat höchstens 32",
        other: "{n} Schlagwörter bleiben weg: Eine Notiz hat höchstens 32",
    },
    "move.remark.too-many-notes": {
        one: "{n} Notiz bleibt weg: Ein Konto hat höchstens 10.000",
        other: "{n} Notizen bleiben weg: Ein Konto hat höchstens 10.000",
    },
    "move.remark.different": {
        one: "{n} Notiz ist schon da, mit anderem Text, und der bleibt",
        other: "{n} Notizen sind schon da, mit anderen Texten, und die bleiben",
    },
    "move.remark.another": {
        one: "{n} Datei hat den Pfad einer anderen Notiz und wird eine eigene",
        other: "{n} Dateien haben die Pfade anderer Notizen und werden eigene",
    },
    "move.remark.too-large": {
        one: "{n} Datei bleibt weg: Sie ist größer als 64 MiB",
        other: "{n} Dateien bleiben weg: Sie sind größer als 64 MiB",
    },
    "move.remark.zip-damaged": {
        one: "{n} Datei bleibt weg: Sie ist im Archiv beschädigt",
        other: "{n} Dateien bleiben weg: Sie sind im Archiv beschädigt",
    },
    "move.remark.zip-large": {
        one: "{n} Archiv bleibt weg: Es enthält mehr, als die Seite liest",
        other: "{n} Archive bleiben weg: Sie enthalten mehr, als die Seite liest",
    },
    "move.remark.zip-name": {
        one: "{n} Datei bleibt weg: Ihr Name führt aus dem Archiv hinaus",
        other: "{n} Dateien bleiben weg: Ihre Namen führen aus dem Archiv hinaus",
    },
    "move.remark.zip-encrypted": {
        one: "{n} Datei bleibt weg: Sie ist verschlüsselt. Bitte ein Archiv ohne Passwort erstellen",
        other: "{n} Dateien bleiben weg: Sie sind verschlüsselt. Bitte ein Archiv ohne Passwort erstellen",
    },
    "move.remark.zip-method": {
        one: "{n} Datei bleibt weg: Ihre Komprimierung ist hier nicht lesbar",
        other: "{n} Dateien bleiben weg: Ihre Komprimierung ist hier nicht lesbar",
    },
    "move.refused.nothing": "Darin sind keine Markdown-Dateien und keine notes.json von Simplenote.",
    "move.refused.not-json": "Das ist kein JSON.",
    "move.refused.not-simplenote":
        "Dieses JSON ist nicht, was Simplenote exportiert: Ihm fehlt die Liste „activeNotes“.",
    "move.refused.unfit-json": "Dieses JSON enthält U+0000 oder ein halbes Zeichen, was keine Notiz enthalten kann.",
    "move.refused.too-large": "Diese Datei ist größer als 64 MiB:",
    "move.refused.zip-damaged": "Das ist kein Zip-Archiv oder ein beschädigtes.",
    "move.refused.zip-large":
        "Das Archiv enthält mehr, als die Seite liest: 20.000 Dateien, 64 MiB in einer, 256 MiB in allen.",
    "move.refused.zip-name": "Das Archiv hat eine Datei, deren Name aus ihm hinausführt:",
    "move.refused.zip-encrypted": "Das Archiv ist verschlüsselt. Bitte eines ohne Passwort erstellen.",
    "move.refused.zip-method": "Das Archiv ist auf eine Weise komprimiert, die die Seite nicht kennt.",
    "move.export": "Export",
    "move.export.hint": "Alle Notizen, die auf diesem Gerät sind, auch die im Papierkorb, in einem Zip-Archiv.",
    "move.form": "Form",
    "move.form.markdown": "Markdown",
    "move.form.markdown.hint":
        "Eine Datei je Notiz, mit Titel, Zeiten, Schlagwörtern und Anheftung als Front Matter. Kommt genau so wieder herein.",
    "move.form.simplenote": "Simplenote",
    "move.form.simplenote.hint": "Was Simplenote exportiert und importiert.",
    "move.form.joplin": "Joplin",
    "move.form.joplin.hint":
        "Markdown + Front Matter in Ordnern. Ohne Anheftungen und Papierkorb, die Joplin nicht exportiert.",
    "move.export.button": "Exportieren",
    "move.exported": { one: "{n} Datei ist im Archiv.", other: "{n} Dateien sind im Archiv." },
};
