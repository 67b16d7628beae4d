/** English. */
import { screens } from "./screens.en.js";

/** @type {import("../../shared/texts.js").Table} */
export const en = {
    ...screens,
    // Frame
    title: "Almanac",
    skip: "Skip to the content",
    tabs: "Screens",
    close: "Close",
    retry: "Try again",
    account: "Account and settings",
    theme: "Theme",
    "theme.system": "System",
    "theme.light": "Light",
    "theme.dark": "Dark",
    language: "Language",
    "error.title": "That did not work",
    "error.unknown": "Something in this page failed: {detail}",
    "away.title": "The server does not answer.",
    "away.first": "The page tries again every few seconds.",
    "away.short": "The server does not answer. Nothing was lost; try again.",
    "away.in": { one: "Trying again in {n} second.", other: "Trying again in {n} seconds." },
    "away.now": "Trying again …",
    "away.over": "The server answers again.",
    "screen.entries": "Entries",
    "screen.none": "There is no such screen",
    "screen.none.detail": "The address asks for “{name}”. Choose one of the tabs above.",
    "screen.closed": "This needs more rights",
    "screen.closed.detail": "Your session does not have the scope {scope}. Sign in with a token that has it.",
    "environments.title": "Environments",
    "environments.empty":
        "No environment may be seen without signing in. Open the link that `almanac session open` prints.",
    "environments.missing": "There is no environment {name} here, or you may not see it.",
    "environment.switch": "Environment {name}. Switch",
    "environment.now": "Environment {name}",
    "environment.caution": "Handle with care",
    "session.as": "Signed in as {name}",
    "session.none": "Not signed in",
    "session.no-scopes": "No scopes",
    "session.until": "Signed in until {time}",
    "session.over": "Signed out of {name}.",

    // Sign-in
    "sign-in.title": "Sign in to {name}",
    "sign-in.lead": "Each environment has sign-ins of its own.",
    "sign-in.provider": "Continue with your provider",
    "sign-in.or": "or",
    "sign-in.token": "API token",
    "sign-in.hint":
        "The token is exchanged for a session and not kept in the browser. On the server, {command} prints a link that signs in by itself.",
    "sign-in.button": "Sign in",
    "sign-in.empty": "Paste a token first.",
    "sign-in.other": "This is a token of {environment}; here it takes one of {wanted}.",
    "sign-in.failed": "The sign-in failed ({kind}). Try again.",
    "sign-in.link": "The link did not sign in to {environment}: {detail}",
    "sign-in.ended.title": "The session has ended",
    "sign-in.ended": "Sign in again to go on where you were.",
    "sign-in.ended.draft": {
        one: "Sign in again to go on where you were. Your draft of {n} change is kept.",
        other: "Sign in again to go on where you were. Your draft of {n} changes is kept.",
    },
    "sign-in.fresh.title": "Sign in once more",
    "sign-in.fresh": "What you are about to do takes a sign-in of the last ten minutes.",
    "sign-out": "Sign out",
    "sign-out.draft": {
        one: "Your draft has {n} change that is not saved. Keep it in this browser for the next sign-in?",
        other: "Your draft has {n} changes that are not saved. Keep it in this browser for the next sign-in?",
    },
    "sign-out.keep": "Keep and sign out",
    "sign-out.drop": "Discard and sign out",

    // Draft
    "draft.count": { one: "{n} change", other: "{n} changes" },
};
