/** English: sign-in, invitations, passkeys. */
/** @type {import("../../shared/texts.js").Table} */
export const access = {
    "sign-in.title": "Sign in to {name}",
    "sign-in.lead": "An API token opens one environment, a passkey all of yours.",
    "sign-in.provider": "Continue with single sign-on",
    "sign-in.or": "or",
    "sign-in.token": "API token",
    "sign-in.hint":
        "Your token is exchanged for a session and isn’t stored in the browser. You can also run {command} on the server to get a sign-in link.",
    "sign-in.create": "No access yet? Ask an administrator for an invitation, or create one on the server: {command}",
    "sign-in.other": "This token is for {environment}. Use a token for {wanted}.",
    "sign-in.identity-provider-away": "Your identity provider isn’t responding. Try again, or use a token.",
    "sign-in.sign-in-refused": "Your identity provider denied the sign-in. Try again, or use a token.",
    "sign-in.ended.title": "Your session has ended",
    "sign-in.ended": "Sign in again to pick up where you left off.",
    "sign-in.ended.draft": {
        one: "Sign in again to pick up where you left off. Your draft with {n} change is saved.",
        other: "Sign in again to pick up where you left off. Your draft with {n} changes is saved.",
    },
    "sign-in.fresh.title": "Confirm it’s you",
    "sign-in.fresh": "This action requires a sign-in from the last 10 minutes.",
    "sign-in.passkey": "Sign in with a passkey",
    "sign-in.passkey.elsewhere":
        "You’re signed in to {others}, but this passkey doesn’t open {name}. Ask an administrator for an invitation.",

    "passkey.create": "Create a passkey",
    "passkey.lead":
        "A passkey replaces a password. It stays on this device or in your password manager, and you unlock it with your fingerprint, face or PIN.",
    "passkey.known": "This device already has a passkey for you. Use another device or a security key.",
    "passkey.canceled": "The passkey request was canceled or timed out. Try again.",
    "passkey.certificate":
        "Browsers use passkeys only on pages whose certificate they trust. Trust the server’s certificate authority, or use a token.",
    "passkey.failed": "Your browser couldn’t use a passkey here. Try again, or use another browser.",

    "invitation.title": "Join {name}",
    "invitation.lead": "{by} invited {name} as {role}.",
    "invitation.use": "Use a passkey I have",
    "invitation.refused": "This invitation can’t be used",
    "invitation.gone": "For your safety, the link is no longer in the address bar. Open the invitation link again.",
    "invitation.unsupported":
        "This browser can’t use passkeys. Open the link in a current version of Chrome, Edge, Firefox or Safari.",
    "invitation.done": "You’re signed in to {name}",
    "invitation.another": "Add a second passkey, so that a lost device doesn’t lock you out.",
    "invitation.another.hint":
        "Use a phone, another computer or a security key. You can also add it later in the account menu.",
    "invitation.later": "Not now",

    "passkeys.title": "My passkeys",
    "passkeys.lead": "Each of these signs you in to {name}. Have at least two, on different devices.",
    "passkeys.none": "No passkeys yet.",
    "passkeys.unnamed": "Passkey",
    "passkeys.times": "Added {created} · last used {used}",
    "passkeys.add": "Add a passkey",
    "passkeys.added": "Passkey added",
    "passkeys.added.partly": "Passkey added here, but not in {names}",
    "passkeys.remove": "Remove…",
    "passkeys.remove.title": "Remove passkey",
    "passkeys.remove.lead":
        "This passkey no longer signs you in here, and sessions that it opened end. Your other passkeys keep working.",
    "passkeys.remove.last":
        "This is your only passkey here. Sessions that it opened end, and you need a new invitation to sign in again.",
    "passkeys.removed": "Passkey removed",

    "problem.invitation-not-found": "This invitation doesn’t exist or was revoked. Ask for a new one.",
    "problem.invitation-used": "This invitation was used already. Sign in, or ask for a new one.",
    "problem.invitation-void": "Whoever sent this invitation no longer has that right. Ask for a new one.",
    "problem.invitation-expired": "This invitation has expired. Ask for a new one.",
    "problem.passkey-unknown": "No environment here knows this passkey. Use another one, or ask for an invitation.",
    "problem.person-removed": "You were removed from this environment. Ask an administrator to admit you again.",
};
