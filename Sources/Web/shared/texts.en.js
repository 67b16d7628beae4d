/** English: texts of all pages. */

/** @type {import("./texts.js").Table} */
export const common = {
    notices: "Notifications",
    close: "Close",
    cancel: "Cancel",
    retry: "Try again",
    "help.title": "Keyboard shortcuts",
    theme: "Theme",
    "theme.system": "System",
    "theme.light": "Light",
    "theme.dark": "Dark",
    language: "Language",
    "session.as": "Signed in as {name}",
    "session.none": "Not signed in",
    "sign-in.replaces": "You’re signed in as {name}. Signing in again ends that session.",
    "sign-in.button": "Sign in",
    "sign-in.empty": "Enter a token.",
    "sign-in.failed": "Couldn’t sign you in ({kind}). Try again.",
    "sign-in.sign-in-expired": "This sign-in expired or was started in another browser. Try again.",
    "sign-in.link": "Couldn’t sign in to {environment} with this link: {detail}",
    "link.title": "Sign in as {next} instead of {present}?",
    "link.lead": "This ends the session of {present} in {environment}.",
    "link.agree": "Sign in as {next}",
    "link.stay": "Stay signed in as {present}",
};
