/** German, of import and export. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    "move.import": "Import",
    "move.import.hint":
        "Vor dem Import siehst du, was enthalten ist. Dieselbe Datei kannst du noch einmal importieren: Vorhandene Notizen ändern sich nicht.",
    "move.from.keep": "Google Notizen: das Archiv von Google Takeout",
    "move.from.evernote": "Evernote: Notizbücher als .enex-Dateien",
    "move.from.bear": "Bear: ein Backup (.bear2bk) oder TextBundle",
    "move.from.obsidian": "Obsidian: der Ordner des Vaults",
    "move.from.joplin": "Joplin: der Export „Markdown + Front Matter“",
    "move.from.simplenote": "Simplenote: das Archiv oder seine notes.json",
    "move.from.markdown": "Almanac, Notion, Hugo und andere: Markdown-Dateien",
    "move.drop": "Dateien oder einen Ordner hier ablegen, oder",
    "move.drop.refused": "Dateien lassen sich hier nicht importieren",
    "move.file": "Dateien auswählen",
    "move.folder": "Ordner auswählen",
    "move.reading": "Wird gelesen …",
    "move.will": { one: "{n} Notiz wird importiert.", other: "{n} Notizen werden importiert." },
    "move.will.files": {
        one: "{n} Bild oder Datei wird importiert.",
        other: "{n} Bilder und Dateien werden importiert.",
    },
    "move.will.none": "Nichts zu importieren.",
    "move.facts.tags": { one: "{n} Schlagwort", other: "{n} Schlagwörter" },
    "move.facts.pinned": { one: "{n} angeheftet", other: "{n} angeheftet" },
    "move.facts.trashed": { one: "{n} im Papierkorb", other: "{n} im Papierkorb" },
    "move.facts.files": { one: "{n} Bild oder Datei", other: "{n} Bilder und Dateien" },
    "move.facts.edited": "zuletzt bearbeitet {time}",
    "move.same": { one: "{n} Notiz ist bereits vorhanden.", other: "{n} Notizen sind bereits vorhanden." },
    "move.take": { one: "{n} Notiz importieren", other: "{n} Notizen importieren" },
    "move.take.files": { one: "{n} Datei importieren", other: "{n} Dateien importieren" },
    "move.taking": "Wird importiert …",
    "move.taken": { one: "{n} Notiz importiert.", other: "{n} Notizen importiert." },
    "move.taken.files": { one: "{n} Bild oder Datei importiert.", other: "{n} Bilder und Dateien importiert." },
    "move.stopped": {
        one: "Der Import wurde nach {n} Notiz abgebrochen. Importiere dieselbe Datei noch einmal, um den Rest zu erhalten.",
        other: "Der Import wurde nach {n} Notizen abgebrochen. Importiere dieselbe Datei noch einmal, um den Rest zu erhalten.",
    },
    "move.remark.resource": {
        one: "{n} Bild oder Datei übersprungen: Keine Notiz zeigt oder verlinkt sie",
        other: "{n} Bilder oder Dateien übersprungen: Keine Notiz zeigt oder verlinkt sie",
    },
    "move.remark.file-missing": {
        one: "{n} Notiz verweist auf Bilder oder Dateien, die fehlen",
        other: "{n} Notizen verweisen auf Bilder oder Dateien, die fehlen",
    },
    "move.remark.file-empty": {
        one: "{n} Bild oder Datei übersprungen: leer",
        other: "{n} Bilder oder Dateien übersprungen: leer",
    },
    "move.remark.file-too-large": {
        one: "{n} Bild oder Datei übersprungen: größer, als der Server erlaubt",
        other: "{n} Bilder oder Dateien übersprungen: größer, als der Server erlaubt",
    },
    "move.remark.file-no-room": {
        one: "{n} Bild oder Datei übersprungen: zu viel für einen Import. Importiere die Notizen in Teilen",
        other: "{n} Bilder oder Dateien übersprungen: zu viel für einen Import. Importiere die Notizen in Teilen",
    },
    "move.remark.file-unread": {
        one: "{n} Bild oder Datei übersprungen: nicht lesbar",
        other: "{n} Bilder oder Dateien übersprungen: nicht lesbar",
    },
    "move.remark.file-as-is": {
        one: "{n} Bild ist beschädigt und bleibt eine Datei, auch mit seinem Aufnahmeort",
        other: "{n} Bilder sind beschädigt und bleiben Dateien, auch mit ihrem Aufnahmeort",
    },
    "move.remark.file-not-here": {
        one: "{n} Bild oder Datei fehlt im Archiv: nicht auf diesem Gerät und jetzt nicht abrufbar",
        other: "{n} Bilder oder Dateien fehlen im Archiv: nicht auf diesem Gerät und jetzt nicht abrufbar",
    },
    "move.remark.too-many-files": {
        one: "{n} Notiz übersprungen: nennt mehr als 1.000 Bilder und Dateien",
        other: "{n} Notizen übersprungen: nennen mehr als 1.000 Bilder und Dateien",
    },
    "move.remark.not-a-note": {
        one: "{n} Datei oder Eintrag übersprungen: keine Notiz",
        other: "{n} Dateien oder Einträge übersprungen: keine Notizen",
    },
    "move.remark.archived": {
        one: "{n} archivierte Notiz erhält das Schlagwort „archived“: Hier gibt es kein Archiv",
        other: "{n} archivierte Notizen erhalten das Schlagwort „archived“: Hier gibt es kein Archiv",
    },
    "move.remark.damaged": {
        one: "{n} Notiz übersprungen: Ihre Datei ist beschädigt",
        other: "{n} Notizen übersprungen: Ihre Dateien sind beschädigt",
    },
    "move.remark.no-text": {
        one: "{n} Notiz übersprungen: ohne Titel und Text",
        other: "{n} Notizen übersprungen: ohne Titel und Text",
    },
    "move.remark.details": {
        one: "{n} Notiz verliert Angaben, die es hier nicht gibt",
        other: "{n} Notizen verlieren Angaben, die es hier nicht gibt",
    },
    "move.remark.encrypted-text": {
        one: "{n} Notiz hat verschlüsselten Text; an seiner Stelle stehen 🔒 und der Hinweis",
        other: "{n} Notizen haben verschlüsselten Text; an seiner Stelle stehen 🔒 und der Hinweis",
    },
    "move.remark.note-links": {
        one: "{n} Notiz hat Links zu Notizen, die nicht in der Datei sind; ihre Wörter bleiben",
        other: "{n} Notizen haben Links zu Notizen, die nicht in der Datei sind; ihre Wörter bleiben",
    },
    "move.remark.not-evernote": {
        one: "{n} Datei übersprungen: kein Evernote-Export",
        other: "{n} Dateien übersprungen: keine Evernote-Exporte",
    },
    "move.remark.xml-damaged": {
        one: "{n} Datei ist beschädigt oder unvollständig: Nur die Notizen davor werden importiert",
        other: "{n} Dateien sind beschädigt oder unvollständig: Nur die Notizen davor werden importiert",
    },
    "move.remark.wiki-links": {
        one: "{n} Notiz behält [[Links]] im Text, die zu keiner dieser Notizen führen",
        other: "{n} Notizen behalten [[Links]] im Text, die zu keiner dieser Notizen führen",
    },
    "move.detail.author": "Autor",
    "move.detail.location": "Ort",
    "move.detail.reminder": "Erinnerung",
    "move.detail.due": "Fälligkeit",
    "move.detail.color": "Farbe",
    "move.detail.sharing": "Freigabe",
    "move.detail.formatting": "Formatierung",
    "move.remark.not-text": {
        one: "{n} Datei übersprungen: kein UTF-8-Text",
        other: "{n} Dateien übersprungen: kein UTF-8-Text",
    },
    "move.remark.front-matter": {
        one: "{n} Notiz behält ihr Front Matter im Text: Es ist nicht lesbar",
        other: "{n} Notizen behalten ihr Front Matter im Text: Es ist nicht lesbar",
    },
    "move.remark.fields": {
        one: "{n} Notiz behält nicht unterstützte Felder im Text",
        other: "{n} Notizen behalten nicht unterstützte Felder im Text",
    },
    "move.remark.text-tags": {
        one: "{n} Notiz erhält Schlagwörter aus den #Schlagwörtern im Text; der Text ändert sich nicht",
        other: "{n} Notizen erhalten Schlagwörter aus den #Schlagwörtern im Text; der Text ändert sich nicht",
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
        one: "{n} Datei hat denselben Pfad wie eine andere Notiz und wird eine eigene Notiz",
        other: "{n} Dateien haben dieselben Pfade wie andere Notizen und werden eigene Notizen",
    },
    "move.remark.too-large": {
        one: "{n} Datei übersprungen: größer als 64 MiB",
        other: "{n} Dateien übersprungen: größer als 64 MiB",
    },
    "move.remark.zip-damaged": {
        one: "{n} Datei übersprungen: im Archiv beschädigt",
        other: "{n} Dateien übersprungen: im Archiv beschädigt",
    },
    "move.remark.zip-large": {
        one: "{n} Archiv übersprungen: mehr als 50.000 Dateien oder 256 MiB insgesamt",
        other: "{n} Archive übersprungen: mehr als 50.000 Dateien oder 256 MiB insgesamt",
    },
    "move.remark.zip-name": {
        one: "{n} Datei übersprungen: unsicherer Pfad, der aus dem Archiv hinausführt",
        other: "{n} Dateien übersprungen: unsichere Pfade, die aus dem Archiv hinausführen",
    },
    "move.remark.zip-encrypted": {
        one: "{n} Datei übersprungen: verschlüsselt. Erstelle ein Archiv ohne Passwort",
        other: "{n} Dateien übersprungen: verschlüsselt. Erstelle ein Archiv ohne Passwort",
    },
    "move.remark.zip-method": {
        one: "{n} Datei übersprungen: Komprimierung nicht unterstützt",
        other: "{n} Dateien übersprungen: Komprimierung nicht unterstützt",
    },
    "move.refused.nothing": "Keine Notizen in einem bekannten Format gefunden.",
    "move.refused.not-evernote": "Das ist kein Evernote-Export: Das Element „en-export“ fehlt.",
    "move.refused.xml-damaged":
        "Dieser Evernote-Export ist beschädigt oder unvollständig. Exportiere das Notizbuch noch einmal.",
    "move.refused.not-text": "Diese Datei ist kein UTF-8-Text:",
    "move.refused.not-json": "Diese Datei enthält kein gültiges JSON.",
    "move.refused.not-simplenote": "Das ist kein Simplenote-Export: Die Liste „activeNotes“ fehlt.",
    "move.refused.unfit-json":
        "Diese Datei enthält Zeichen, die eine Notiz nicht speichern kann (U+0000 oder ein halbes Zeichen).",
    "move.refused.not-a-note": "Diese Datei ist keine Notiz:",
    "move.refused.too-large": "Diese Datei ist größer als 64 MiB:",
    "move.refused.zip-damaged": "Das ist kein Zip-Archiv, oder es ist beschädigt.",
    "move.refused.zip-large":
        "Zu viel für einen Import. Erlaubt sind 50.000 Dateien, 64 MiB pro Datei und 256 MiB insgesamt.",
    "move.refused.zip-name": "Dieses Archiv enthält eine Datei mit unsicherem Pfad, der aus dem Archiv hinausführt:",
    "move.refused.zip-encrypted": "Dieses Archiv ist verschlüsselt. Erstelle eins ohne Passwort.",
    "move.refused.zip-method": "Die Komprimierung dieses Archivs wird nicht unterstützt.",
    "move.export": "Export",
    "move.export.hint":
        "Alle Notizen auf diesem Gerät, auch die im Papierkorb, mit ihren Bildern und Dateien in einem Zip-Archiv.",
    "move.form": "Format",
    "move.form.markdown": "Markdown",
    "move.form.markdown.hint":
        "Eine Datei pro Notiz, mit Titel, Datum, Schlagwörtern und Anheftung als Front Matter. Lässt sich unverändert wieder importieren.",
    "move.form.simplenote": "Simplenote",
    "move.form.simplenote.hint": "Das Format, das Simplenote exportiert und importiert, ohne Bilder und Dateien.",
    "move.form.joplin": "Joplin",
    "move.form.joplin.hint":
        "Markdown + Front Matter in Ordnern. Ohne Anheftungen und Papierkorb, die Joplin nicht exportiert.",
    "move.export.button": "Exportieren",
    "move.exported": { one: "{n} Datei exportiert.", other: "{n} Dateien exportiert." },
};
