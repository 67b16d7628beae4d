/** German: an empty environment, and the code of apps. */
/** @type {import("../../shared/texts.js").Table} */
export const firstMinutes = {
    "welcome.title": "{name} ist leer",
    "welcome.lead":
        "Eine Umgebung ist eine Stufe deiner App, etwa Entwicklung oder Produktion, mit eigenen Einträgen und Flags. Deine App liest sie von hier.",
    "welcome.entry": "Ersten Eintrag anlegen",
    "welcome.entry.hint": "Ein Schlüssel und ein Wert, etwa ein Text, eine Farbe oder ein Grenzwert.",
    "welcome.flag": "Erstes Flag anlegen",
    "welcome.flag.hint": "Entscheidet ohne neuen Build, wer welche Variante einer Funktion bekommt.",
    "welcome.import": "Einträge importieren",
    "welcome.import.hint": "Aus einer JSON-Datei oder eingefügtem Text.",
    "use.key": "{key} in einer App verwenden",
    "use.language": "Sprache",
    "use.token": "Dafür brauchst du ein API-Token: Erstelle eines unter {link} und setze es anstelle von {name} ein.",
    "use.local": "Dieser Server hat seine eigene Zertifizierungsstelle. Vertraue ihrem Zertifikat mit {option}.",
    "use.typed": "Typisierte Schlüssel erzeugen: {command}",
    "use.waiting": "Warten auf die erste Anfrage einer App …",
    "use.requested": "Eine App hat diese Umgebung {when} abgefragt.",
};
