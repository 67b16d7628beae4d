/** German, of import and export. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    "move.title": "Import und Export",
    "move.import": "Import",
    "move.import.hint":
        "Importiere Notizen aus Almanac, Simplenote (das Archiv oder seine notes.json), Joplin („Markdown + Front Matter“) oder Markdown-Dateien beliebiger Programme wie Obsidian, Bear, Notion oder Hugo. Vor dem Import siehst du, was enthalten ist. Dieselbe Datei kannst du noch einmal importieren: Vorhandene Notizen ändern sich nicht.",
    "move.drop": "Dateien oder einen Ordner hier ablegen, oder",
    "move.file": "Dateien auswählen",
    "move.folder": "Ordner auswählen",
    "move.reading": "Wird gelesen …",
    "move.will": { one: "{n} Notiz wird importiert.", other: "{n} Notizen werden importiert." },
    "move.will.none": "Nichts zu importieren.",
    "move.same": { one: "{n} Notiz ist bereits vorhanden.", other: "{n} Notizen sind bereits vorhanden." },
    "move.take": { one: "{n} Notiz importieren", other: "{n} Notizen importieren" },
    "move.cancel": "Abbrechen",
    "move.taking": "Wird importiert …",
    "move.taken": { one: "{n} Notiz importiert.", other: "{n} Notizen importiert." },
    "move.stopped": {
        one: "Der Import wurde nach {n} Notiz abgebrochen. Importiere dieselbe Datei noch einmal, um den Rest zu erhalten.",
        other: "Der Import wurde nach {n} Notizen abgebrochen. Importiere dieselbe Datei noch einmal, um den Rest zu erhalten.",
    },
    "move.more": { one: "und {n} weitere", other: "und {n} weitere" },
    "move.remark.resource": {
        one: "{n} Anhang übersprungen: Nur Notizen werden importiert",
        other: "{n} Anhänge übersprungen: Nur Notizen werden importiert",
    },
    "move.remark.not-a-note": {
        one: "{n} Datei oder Eintrag übersprungen: keine Notiz",
        other: "{n} Dateien oder Einträge übersprungen: keine Notizen",
    },
    "move.remark.not-text": {
        one: "{n} Datei übersprungen: kein UTF-8-Text",
        other: "{n} Dateien übersprungen: kein UTF-8-Text",
    },
    "move.remark.front-matter": {
        one: "{n} Notiz behält ihr Front Matter im Text: Es ist nicht lesbar",
        other: "{n} Notizen behalten ihr Front Matter im Text: Es ist nicht lesbar",
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
        one: "{n} Notiz übersprungen: leer und im Papierkorb",
        other: "{n} Notizen übersprungen: leer und im Papierkorb",
    },
    "move.remark.unfit-text": {
        one: "{n} Notiz übersprungen: enthält U+0000 oder ein halbes Zeichen",
        other: "{n} Notizen übersprungen: enthalten U+0000 oder ein halbes Zeichen",
    },
    "move.remark.title-too-long": {
        one: "{n} Notiz übersprungen: Titel länger als 1 KiB",
        other: "{n} Notizen übersprungen: Titel länger als 1 KiB",
    },
    "move.remark.body-too-long": {
        one: "{n} Notiz übersprungen: Text länger als 1 MiB",
        other: "{n} Notizen übersprungen: Text länger als 1 MiB",
    },
    "move.remark.tag": {
        one: "{n} Schlagwort übersprungen: nur 1 bis 64 Zeichen, keine Steuerzeichen",
        other: "{n} Schlagwörter übersprungen: nur 1 bis 64 Zeichen, keine Steuerzeichen",
    },
    "move.remark.too-many-tags": {
        one: "{n} Schlagwort übersprungen: höchstens 32 pro Notiz",
        other: "{n} Schlagwörter übersprungen: höchstens 32 pro Notiz",
    },
    "move.remark.too-many-notes": {
        one: "{n} Notiz übersprungen: höchstens 10.000 pro Konto",
        other: "{n} Notizen übersprungen: höchstens 10.000 pro Konto",
    },
    "move.remark.different": {
        one: "{n} Notiz ist mit anderem Text vorhanden und bleibt unverändert",
        other: "{n} Notizen sind mit anderem Text vorhanden und bleiben unverändert",
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
    "move.refused.nothing": "Keine Markdown-Dateien und keine Simplenote-Datei notes.json gefunden.",
    "move.refused.not-json": "Diese Datei enthält kein gültiges JSON.",
    "move.refused.not-simplenote": "Das ist kein Simplenote-Export: Die Liste „activeNotes“ fehlt.",
    "move.refused.unfit-json":
        "Diese Datei enthält Zeichen, die eine Notiz nicht speichern kann (U+0000 oder ein halbes Zeichen).",
    "move.refused.too-large": "Diese Datei ist größer als 64 MiB:",
    "move.refused.zip-damaged": "Das ist kein Zip-Archiv, oder es ist beschädigt.",
    "move.refused.zip-large":
        "Dieses Archiv ist zu groß. Erlaubt sind 20.000 Dateien, 64 MiB pro Datei und 256 MiB insgesamt.",
    "move.refused.zip-name": "Dieses Archiv enthält eine Datei mit unsicherem Pfad, der aus dem Archiv hinausführt:",
    "move.refused.zip-encrypted": "Das Archiv ist verschlüsselt. Bitte eines ohne Passwort erstellen.",
    "move.refused.zip-method": "Die Komprimierung dieses Archivs wird nicht unterstützt.",
    "move.export": "Export",
    "move.export.hint": "Alle Notizen auf diesem Gerät, auch die im Papierkorb, in einem Zip-Archiv.",
    "move.form": "Format",
    "move.form.markdown": "Markdown",
    "move.form.markdown.hint":
        "Eine Datei pro Notiz, mit Titel, Datum, Schlagwörtern und Anheftung als Front Matter. Lässt sich unverändert wieder importieren.",
    "move.form.simplenote": "Simplenote",
    "move.form.simplenote.hint": "Das Format, das Simplenote exportiert und importiert.",
    "move.form.joplin": "Joplin",
    "move.form.joplin.hint":
        "Markdown + Front Matter in Ordnern. Ohne Anheftungen und Papierkorb, die Joplin nicht exportiert.",
    "move.export.button": "Exportieren",
    "move.exported": { one: "{n} Datei exportiert.", other: "{n} Dateien exportiert." },
};
