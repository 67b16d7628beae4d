/** German, of a note's history. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    "history.title": "Verlauf",
    "history.back": "Zurück zur Notiz",
    "history.loading": "Verlauf wird geladen …",
    "history.offline":
        "Der Verlauf liegt auf dem Server, der gerade nicht erreichbar ist. Die Notiz kannst du weiter bearbeiten.",
    "history.signed.out": "Melde dich an, um den Verlauf zu sehen. Die Notiz kannst du weiter bearbeiten.",
    "history.unknown": "Diese Notiz ist noch nicht synchronisiert und hat daher keinen Verlauf.",
    "history.none": "Es sind keine früheren Versionen dieser Notiz gespeichert.",
    "history.version": "Version",
    "history.of": "Version {k} von {n}, {time}",
    "history.older": "Ältere Versionen anzeigen",
    "history.view": "Ansicht",
    "history.changes": "Änderungen dieser Version",
    "history.blame": "Datum der Absätze",
    "history.text": "Ganzer Text",
    "history.empty": "Diese Version ist leer.",
    "history.copy": "Als Kopie wiederherstellen",
    "history.restored": "Version vom {time} wiederhergestellt.",
    "history.copied": "Neue Notiz aus der Version vom {time} erstellt.",
    "history.gone": "Diese Notiz ist nicht mehr auf diesem Gerät. Stelle sie stattdessen als Kopie wieder her.",
};
