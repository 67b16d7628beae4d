/** German: sign-in, invitations, passkeys. */
/** @type {import("../../shared/texts.js").Table} */
export const access = {
    "sign-in.title": "Anmelden bei {name}",
    "sign-in.lead": "Ein API-Token öffnet eine Umgebung, ein Passkey alle deine.",
    "sign-in.provider": "Weiter mit Single Sign-on",
    "sign-in.or": "oder",
    "sign-in.token": "API-Token",
    "sign-in.hint":
        "Dein Token wird gegen eine Sitzung getauscht und nicht im Browser gespeichert. Auf dem Server gibt {command} einen Anmeldelink aus.",
    "sign-in.create":
        "Noch kein Zugang? Bitte jemanden mit Adminrechten um eine Einladung oder erstelle auf dem Server eine: {command}",
    "sign-in.other": "Dieses Token gehört zu {environment}. Verwende ein Token für {wanted}.",
    "sign-in.identity-provider-away": "Der Anmeldedienst antwortet nicht. Versuche es erneut oder verwende ein Token.",
    "sign-in.sign-in-refused":
        "Der Anmeldedienst hat die Anmeldung abgelehnt. Versuche es erneut oder verwende ein Token.",
    "sign-in.ended.title": "Deine Sitzung ist beendet",
    "sign-in.ended": "Melde dich wieder an, um weiterzumachen.",
    "sign-in.ended.draft": {
        one: "Melde dich wieder an, um weiterzumachen. Dein Entwurf mit {n} Änderung bleibt erhalten.",
        other: "Melde dich wieder an, um weiterzumachen. Dein Entwurf mit {n} Änderungen bleibt erhalten.",
    },
    "sign-in.fresh.title": "Bestätige deine Identität",
    "sign-in.fresh": "Für diese Aktion darf deine Anmeldung höchstens zehn Minuten zurückliegen.",
    "sign-in.passkey": "Mit Passkey anmelden",
    "sign-in.passkey.elsewhere":
        "Du bist bei {others} angemeldet, aber dieser Passkey öffnet {name} nicht. Bitte jemanden mit Adminrechten um eine Einladung.",

    "passkey.create": "Passkey erstellen",
    "passkey.lead":
        "Ein Passkey ersetzt ein Passwort. Er bleibt auf diesem Gerät oder in deinem Passwortmanager, und du entsperrst ihn mit Fingerabdruck, Gesicht oder PIN.",
    "passkey.known":
        "Dieses Gerät hat schon einen Passkey für dich. Verwende ein anderes Gerät oder einen Sicherheitsschlüssel.",
    "passkey.canceled": "Die Passkey-Abfrage wurde abgebrochen oder hat zu lange gedauert. Versuche es erneut.",
    "passkey.certificate":
        "Browser verwenden Passkeys nur auf Seiten, deren Zertifikat sie vertrauen. Vertraue der Zertifizierungsstelle des Servers oder verwende ein Token.",
    "passkey.failed":
        "Dein Browser konnte hier keinen Passkey verwenden. Versuche es erneut oder nimm einen anderen Browser.",

    "invitation.title": "{name} beitreten",
    "invitation.lead": "{by} hat {name} eingeladen. Rolle: {role}.",
    "invitation.use": "Vorhandenen Passkey verwenden",
    "invitation.refused": "Diese Einladung kann nicht verwendet werden",
    "invitation.gone":
        "Zu deiner Sicherheit steht der Link nicht mehr in der Adresszeile. Öffne den Einladungslink noch einmal.",
    "invitation.unsupported":
        "Dieser Browser kann keine Passkeys verwenden. Öffne den Link in einer aktuellen Version von Chrome, Edge, Firefox oder Safari.",
    "invitation.done": "Du bist bei {name} angemeldet",
    "invitation.another": "Füge einen zweiten Passkey hinzu, damit dich ein verlorenes Gerät nicht aussperrt.",
    "invitation.another.hint":
        "Verwende ein Telefon, einen anderen Computer oder einen Sicherheitsschlüssel. Das geht auch später im Kontomenü.",
    "invitation.later": "Nicht jetzt",

    "passkeys.title": "Meine Passkeys",
    "passkeys.lead":
        "Jeder von ihnen meldet dich bei {name} an. Du solltest mindestens zwei auf verschiedenen Geräten haben.",
    "passkeys.none": "Noch keine Passkeys.",
    "passkeys.unnamed": "Passkey",
    "passkeys.times": "Hinzugefügt {created} · zuletzt verwendet {used}",
    "passkeys.add": "Passkey hinzufügen",
    "passkeys.added": "Passkey hinzugefügt",
    "passkeys.added.partly": "Passkey hier hinzugefügt, aber nicht in {names}",
    "passkeys.remove": "Entfernen …",
    "passkeys.remove.title": "Passkey entfernen",
    "passkeys.remove.lead":
        "Dieser Passkey meldet dich hier nicht mehr an, und Sitzungen, die er geöffnet hat, enden. Deine anderen funktionieren weiter.",
    "passkeys.remove.last":
        "Das ist hier dein einziger Passkey. Sitzungen, die er geöffnet hat, enden, und du brauchst eine neue Einladung, um dich wieder anzumelden.",
    "passkeys.removed": "Passkey entfernt",

    "problem.invitation-not-found": "Diese Einladung gibt es nicht, oder sie wurde widerrufen. Bitte um eine neue.",
    "problem.invitation-used": "Diese Einladung wurde schon verwendet. Melde dich an oder bitte um eine neue.",
    "problem.invitation-expired": "Diese Einladung ist abgelaufen. Bitte um eine neue.",
    "problem.invitation-void": "Wer dich eingeladen hat, hat keine Adminrechte mehr. Bitte um eine neue Einladung.",
    "problem.passkey-unknown":
        "Keine Umgebung hier kennt diesen Passkey. Verwende einen anderen oder bitte um eine Einladung.",
    "problem.person-removed":
        "Du wurdest aus dieser Umgebung entfernt. Bitte jemanden mit Adminrechten, dich wieder aufzunehmen.",
};
