/** German, of a note's history. */

/** @type {import("../../shared/texts.js").Table} */
export const de = {
    "history.title": "Verlauf",
    "history.back": "Zurück zur Notiz",
    "history.loading": "Der Verlauf wird vom Server gelesen …",
    "history.offline":
        "Der Verlauf liegt auf dem Server, der gerade nicht zu erreichen ist. Die Notiz selbst ist hier.",
    "history.signed.out":
        "Der Verlauf liegt auf dem Server: Melde dich wieder an, um ihn zu lesen. Die Notiz selbst ist hier.",
    "history.unknown": "Der Server hat diese Notiz noch nicht; sie hat also keinen Verlauf.",
    "history.none": "Der Server bewahrt keinen früheren Text dieser Notiz auf.",
    "history.version": "Version",
    "history.of": "Version {k} von {n}, {time}",
    "history.older": "Ältere Versionen",
    "history.view": "Was gezeigt wird",
    "history.changes": "Was diese Version geändert hat",
    "history.blame": "Wann jeder Absatz geschrieben wurde",
    "history.text": "Text der Version",
    "history.empty": "Diese Version hat keinen Text.",
    "history.restore": "Wiederherstellen",
    "history.copy": "Kopie wiederherstellen",
    "history.restored": "Die Notiz hat wieder ihren Text vom {time}.",
    "history.copied": "Eine neue Notiz hat den Text vom {time}.",
    "history.gone": "Die Notiz ist nicht mehr auf diesem Gerät. Stelle stattdessen eine Kopie wieder her.",
};
