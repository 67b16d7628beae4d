"""Hostile requests that try to use another user's session or to exceed its scopes, one per line."""

from typing import NamedTuple

OWN = ("Sec-Fetch-Site", "same-origin")
FOREIGN = ("Sec-Fetch-Site", "cross-site")
MARK = ("Almanac-Session", "1")
COOKIE = ("Cookie", "@cookie@")
NAME = "__Host-almanac-live"
MADE_UP = f"{NAME}={'A' * 43}"
TOKEN = '{"label":"mine","scopes":["admin"],"expires_at":null}'
JSON = ("Content-Type", "application/json")
EVIL = "https://evil.example"

# An unchecked problem type, for responses of nginx and responses without a problem.
ANY = None


class Attack(NamedTuple):
    """An attack. The slots in headers, targets and bodies: @cookie@ is the victim's cookie, @value@ its value, @short@
    the value without its last character, @rest@ without its first, @digest@ its hash in the database, @id@ the
    session's id, @token@ the API token used to sign in, @user@ the token of a user of notes."""

    name: str
    status: int
    problem: str | None
    headers: tuple
    method: str = "GET"
    target: str = "/live/session"
    body: str = ""
    host: str = "console.localhost"
    server_name: str | None = None


def reads(name, status, problem, *headers, target="/live/session", **more):
    return Attack(name, status, problem, headers, target=target, **more)


def writes(name, status, problem, method, target, body, *headers, **more):
    return Attack(name, status, problem, headers, method, f"/live{target}", body, **more)


def signs_in(name, status, problem, body, *headers, **more):
    return writes(name, status, problem, "POST", "/session", body, *headers, **more)


# Attacks that the router's own tests contain too (SessionAttackTests.swift), under the same names.
AT_THE_ROUTER = [
    # Cross-site requests with the victim's browser.
    reads("a page of another site reads", 401, "token-needed", FOREIGN, MARK, COOKIE),
    reads("a page of another host of the same site reads", 401, "token-needed",
          ("Sec-Fetch-Site", "same-site"), MARK, COOKIE),
    reads("an address typed or a link in a mail", 401, "token-needed", ("Sec-Fetch-Site", "none"), MARK, COOKIE),
    reads("no Sec-Fetch-Site at all", 401, "token-needed", MARK, COOKIE),
    reads("an empty Sec-Fetch-Site", 401, "token-needed", ("Sec-Fetch-Site", ""), MARK, COOKIE),
    reads("two words in Sec-Fetch-Site", 401, "token-needed",
          ("Sec-Fetch-Site", "same-origin, cross-site"), MARK, COOKIE),
    reads("the right Sec-Fetch-Site, and after it that of another site", 401, "token-needed", OWN, FOREIGN, MARK, COOKIE),
    reads("Sec-Fetch-Site in other letters", 401, "token-needed", ("Sec-Fetch-Site", "Same-Origin"), MARK, COOKIE),
    reads("Origin and Referer instead of Sec-Fetch-Site", 401, "token-needed",
          ("Origin", "https://console.localhost"), ("Referer", "https://console.localhost/"), MARK, COOKIE),
    writes("a form of another site makes a token", 401, "token-needed", "POST", "/tokens", TOKEN, FOREIGN, COOKIE),
    writes("a form of the same host makes a token", 401, "token-needed", "POST", "/tokens", TOKEN, OWN, COOKIE),
    writes("the header with another value", 401, "token-needed", "POST", "/tokens", TOKEN,
           OWN, ("Almanac-Session", "true"), COOKIE),
    writes("the header with an empty value", 401, "token-needed", "DELETE", "/sessions/@id@", "",
           OWN, ("Almanac-Session", ""), COOKIE),
    writes("a sign-out by a form", 401, "token-needed", "DELETE", "/session", "", OWN, COOKIE),
    writes("a sign-out from another site", 401, "token-needed", "DELETE", "/session", "", FOREIGN, MARK, COOKIE),
    # The right cookie in the wrong place.
    reads("the console's cookie at the API's host", 401, "token-needed", OWN, MARK, COOKIE, host="localhost"),
    reads("the console's cookie at the notes pages", 401, "session-ended", OWN, MARK, COOKIE, host="notes.localhost"),
    reads("the client names the application", 401, "token-needed",
          OWN, MARK, ("Almanac-Application", "console"), COOKIE, host="localhost"),
    reads("the cookie's value under another environment's name", 401, "token-needed",
          OWN, MARK, ("Cookie", "__Host-almanac-staging=@value@")),
    reads("the cookie without its prefix", 401, "token-needed", OWN, MARK, ("Cookie", "almanac-live=@value@")),
    reads("the cookie in other letters", 401, "token-needed", OWN, MARK, ("Cookie", "__host-almanac-live=@value@")),
    reads("the cookie's name as the end of another's", 401, "token-needed", OWN, MARK, ("Cookie", "x@cookie@")),
    reads("the session's cookie as a bearer token", 401, "token-refused",
          OWN, MARK, ("Authorization", "Bearer @value@")),
    # Cookies chosen by the attacker.
    reads("a value of the attacker's choice", 401, "session-ended", OWN, MARK, ("Cookie", MADE_UP)),
    reads("the hash that the database has", 401, "session-ended", OWN, MARK, ("Cookie", f"{NAME}=@digest@")),
    reads("two cookies of the name, the victim's first", 401, "session-ended",
          OWN, MARK, ("Cookie", f"@cookie@; {MADE_UP}")),
    reads("two cookies of the name, the victim's last", 401, "session-ended",
          OWN, MARK, ("Cookie", f"{NAME}=; @cookie@")),
    reads("the same cookie twice", 401, "session-ended", OWN, MARK, ("Cookie", "@cookie@; @cookie@")),
    reads("an empty cookie", 401, "session-ended", OWN, MARK, ("Cookie", f"{NAME}=")),
    reads("a cookie with another end", 401, "session-ended", OWN, MARK, ("Cookie", "@cookie@A")),
    reads("a cookie cut short", 401, "session-ended", OWN, MARK, ("Cookie", f"{NAME}=@short@")),
    reads("a cookie with padding", 401, "session-ended", OWN, MARK, ("Cookie", "@cookie@=")),
    reads("a cookie in quotes", 401, "session-ended", OWN, MARK, ("Cookie", f'{NAME}="@value@"')),
    reads("a cookie with a percent escape", 401, "session-ended", OWN, MARK, ("Cookie", f"{NAME}=%41@rest@")),
    reads("a cookie of a megabyte", 431, ANY, OWN, MARK, ("Cookie", f"{NAME}={'A' * (1 << 20)}")),
    reads("ten thousand other cookies", 431, ANY,
          OWN, MARK, ("Cookie", "; ".join(f"a{number}=b" for number in range(10_000)))),
    reads("SQL in the cookie", 401, "session-ended", OWN, MARK, ("Cookie", f"{NAME}=' or true; --")),
    reads("bytes beyond ASCII", 401, "session-ended", OWN, MARK, ("Cookie", f"{NAME}={'ä' * 43}")),
    # A token beside the cookie.
    reads("a bad token with a good cookie", 401, "token-refused",
          OWN, MARK, COOKIE, ("Authorization", "Bearer almanac_live_nonsense")),
    reads("an empty Authorization with a good cookie", 401, "token-needed", OWN, MARK, COOKIE, ("Authorization", "")),
    writes("the cookie makes a link", 401, "token-needed", "POST", "/session/link", "", OWN, MARK, COOKIE),
    # Signing in.
    signs_in("a sign-in from another site", 400, "invalid-header", '{"token":"@token@"}', FOREIGN, MARK),
    signs_in("a sign-in without the header", 400, "invalid-header", '{"token":"@token@"}', OWN),
    signs_in("a sign-in at the API's host", 404, "not-found", '{"token":"@token@"}', OWN, MARK, host="localhost"),
    signs_in("a user's token at the console", 403, "scope-too-small", '{"token":"@user@"}', OWN, MARK),
    signs_in("a code that is none", 403, "sign-in-expired", '{"code":"abc"}', OWN, MARK),
    signs_in("a code of the right form", 403, "sign-in-expired", f'{{"code":"{"A" * 43}"}}', OWN, MARK),
    signs_in("a token with a line break", 401, "token-refused", '{"token":"a\\r\\nb"}', OWN, MARK),
    signs_in("no token", 422, "invalid-value", "{}", OWN, MARK),
    signs_in("both a token and a code", 422, "invalid-value", '{"token":"@token@","code":"b"}', OWN, MARK),
    signs_in("a token that asks to replace", 422, "invalid-value", '{"token":"@token@","replaces":true}', OWN, MARK),
    signs_in("a replacement that is neither true nor false", 422, "invalid-value", '{"code":"a","replaces":"true"}',
             OWN, MARK),
    signs_in("a body without an end", 413, "body-too-large", "[" * 20_000, OWN, MARK),
]


def forged(name, *headers, **more):
    """Returns an attack sent by the victim's browser from another site; none of its other headers may help."""
    return reads(name, 401, "token-needed", *headers, COOKIE, **more)


def tricks(name, status, target, problem=ANY, **more):
    """Returns an attack with a path that nginx and the worker may parse differently; neither may accept the cookie."""
    return reads(name, status, problem, FOREIGN, MARK, COOKIE, target=target, **more)


def goes_on(name, value):
    """Returns an attack on the address after a sign-in."""
    return Attack(name, 400, "invalid-parameter", (OWN,), target=f"/people/session/login?return={value}")


def comes_back(name, query, *headers):
    """Returns an attack with a callback of a sign-in that this browser did not start; it leads to an error page."""
    return Attack(name, 303, ANY, headers, target=f"/people/session/callback?{query}")


# Attacks that need nginx: its hosts, and its parsing of paths, headers and connections.
IN_FRONT = [
    # The application's name, which only the server's configuration may set.
    forged("an underscored header is the parameter's name", OWN, MARK, ("ALMANAC_APPLICATION", "console"),
           host="localhost"),
    forged("a header has the parameter's name as programs see headers", OWN, MARK,
           ("HTTP_ALMANAC_APPLICATION", "console"), host="localhost"),
    forged("a header in the form of the parameter", OWN, MARK, ("ALMANAC-APPLICATION", "console"), host="localhost"),
    forged("headers of proxies name the console", OWN, MARK, ("X-Forwarded-Host", "console.localhost"),
           ("Forwarded", "host=console.localhost"), ("X-Original-URL", "/live/session"), host="localhost"),
    forged("the host of an environment with the console's cookie", OWN, MARK, host="live.localhost",
           server_name="localhost", target="/session"),
    reads("the notes' host over a connection that was made for the console's", 401, "session-ended",
          OWN, MARK, COOKIE, host="notes.localhost", server_name="console.localhost"),
    forged("the API's host over a connection that was made for the console's", OWN, MARK,
           host="localhost", server_name="console.localhost"),
    forged("a host whose name begins like the console's", OWN, MARK, host="console.localhost.evil.example",
           server_name="console.localhost"),
    reads("no host at all", 400, ANY, OWN, MARK, COOKIE, host=None),
    reads("two hosts", 400, ANY, OWN, MARK, COOKIE, ("Host", "localhost")),
    reads("an address with a host in it, beside that of the console", 401, "session-ended", OWN, MARK, COOKIE,
          target="https://notes.localhost/live/session"),
    # Requests that a page of another site can make a browser send.
    forged("the Sec-Fetch-Site of another site, and after it the right one", FOREIGN, OWN, MARK),
    forged("a page of another site inside a frame of it", FOREIGN, MARK, ("Sec-Fetch-Dest", "iframe"),
           ("Sec-Fetch-Mode", "navigate"), target="/live/config"),
    forged("a script of another site reads the config", FOREIGN, ("Origin", EVIL), target="/live/config"),
    forged("a script of another site reads a release", FOREIGN, ("Origin", EVIL), target="/live/releases"),
    forged("another site asks for what nginx may keep", FOREIGN, target="/live/config?since=0&revision=1.a"),
    forged("a stream for another site", FOREIGN, ("Accept", "text/event-stream"), target="/live/events"),
    forged("a stream without Sec-Fetch-Site", ("Accept", "text/event-stream"), target="/live/events"),
    forged("a stream at the API's host", OWN, MARK, host="localhost", target="/live/events"),
    forged("a WebSocket of another site", FOREIGN, ("Origin", EVIL), ("Upgrade", "websocket"),
           ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13"),
           ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), target="/live/events"),
    forged("an upgrade to HTTP/2 without TLS", FOREIGN, ("Upgrade", "h2c"), ("Connection", "Upgrade, HTTP2-Settings"),
           ("HTTP2-Settings", "AAMAAABkAARAAAAAAAIAAAAA")),
    forged("a GET of another site that says it is a DELETE", FOREIGN, ("X-HTTP-Method-Override", "DELETE"),
           ("X-Method-Override", "DELETE")),
    writes("a POST that says it is a GET", 401, "token-needed", "POST", "/tokens", TOKEN,
           OWN, COOKIE, JSON, ("X-HTTP-Method-Override", "GET")),
    writes("a form that says it is a PATCH", 401, "token-needed", "POST", "/config?_method=PATCH", "{}", OWN, COOKIE,
           ("Content-Type", "application/x-www-form-urlencoded")),
    writes("another site changes config", 401, "token-needed", "PATCH", "/config", '{"canary":"changed"}',
           FOREIGN, MARK, COOKIE, JSON),
    writes("a change without the header", 401, "token-needed", "PATCH", "/config", '{"canary":"changed"}',
           OWN, COOKIE, JSON),
    writes("a change without Sec-Fetch-Site", 401, "token-needed", "PATCH", "/config", '{"canary":"changed"}',
           MARK, COOKIE, JSON),
    writes("a change by two headers, one of which is right", 401, "token-needed", "PATCH", "/config",
           '{"canary":"changed"}', OWN, ("Almanac-Session", "0"), MARK, COOKIE, JSON),
    writes("a change at the API's host", 401, "token-needed", "PATCH", "/config", '{"canary":"changed"}',
           OWN, MARK, COOKIE, JSON, host="localhost"),
    writes("another site ends the session by its id", 401, "token-needed", "DELETE", "/sessions/@id@", "",
           FOREIGN, MARK, COOKIE),
    writes("a preflight with credentials", 204, ANY, "OPTIONS", "/tokens", "", FOREIGN, COOKIE, ("Origin", EVIL),
           ("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Headers", "almanac-session")),
    writes("a request is sent back with its cookies", 501, ANY, "TRACE", "/session", "", OWN, MARK, COOKIE),
    writes("a tunnel", 501, ANY, "CONNECT", "/session", "", OWN, MARK, COOKIE),
    writes("a method of the attacker's making", 405, ANY, "GETX", "/session", "", OWN, COOKIE),
    writes("a body with two lengths", 400, ANY, "POST", "/tokens", TOKEN, OWN, COOKIE, ("Content-Length", "4")),
    writes("a body with a length, and in chunks", 400, ANY, "POST", "/tokens", TOKEN,
           OWN, COOKIE, ("Transfer-Encoding", "chunked")),
    # Cookies in forms that only nginx handles.
    reads("two lines of cookies, the attacker's first", 401, "session-ended",
          OWN, MARK, ("Cookie", MADE_UP), COOKIE),
    reads("two lines of cookies, the attacker's last", 401, "session-ended", OWN, MARK, COOKIE, ("Cookie", MADE_UP)),
    reads("a cookie as long as nginx takes", 401, "session-ended", OWN, MARK, ("Cookie", f"{NAME}={'A' * 15_000}")),
    reads("a cookie after ten thousand bytes of others", 401, "session-ended", OWN, MARK,
          ("Cookie", "; ".join([f"a{number}=b" for number in range(1200)] + [MADE_UP]))),
    reads("the cookie of a sign-in at the provider as that of a session", 401, "token-needed",
          OWN, MARK, ("Cookie", f"{NAME}.login=@value@")),
    # A token beside the cookie.
    reads("the token of another environment with a good cookie", 401, "token-refused",
          OWN, MARK, COOKIE, ("Authorization", f"Bearer almanac_staging_{'x' * 43}")),
    reads("a password with a good cookie", 401, "token-needed",
          OWN, MARK, COOKIE, ("Authorization", "Basic YWRtaW46YWRtaW4=")),
    writes("a bad token with a good cookie changes config", 401, "token-refused", "PATCH", "/config",
           '{"canary":"changed"}', OWN, MARK, COOKIE, JSON, ("Authorization", "Bearer almanac_live_nonsense")),
    # Signing the victim in as the attacker.
    signs_in("a form of another site signs in", 400, "invalid-header", "token=@token@",
             FOREIGN, ("Content-Type", "application/x-www-form-urlencoded")),
    signs_in("a form of another site that is JSON", 400, "invalid-header", '{"token":"@token@"}',
             FOREIGN, ("Content-Type", "text/plain")),
    signs_in("a form of this host signs in", 415, "unsupported-media-type", "token=@token@",
             OWN, MARK, ("Content-Type", "application/x-www-form-urlencoded")),
    signs_in("a form with files signs in", 415, "unsupported-media-type",
             '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\n@token@\r\n--x--\r\n',
             OWN, MARK, ("Content-Type", "multipart/form-data; boundary=x")),
    signs_in("a sign-in from another host of the same site", 400, "invalid-header", '{"token":"@token@"}',
             ("Sec-Fetch-Site", "same-site"), MARK, JSON),
    signs_in("an API token at the notes pages", 403, "scope-too-small", '{"token":"@token@"}',
             OWN, MARK, JSON, host="notes.localhost"),
    reads("a code in the address", 401, "token-needed", OWN, MARK, target=f"/live/session?code={'A' * 43}"),
    # Signing in at the provider.
    Attack("another site begins a sign-in", 400, "invalid-header", (FOREIGN,), target="/people/session/login"),
    Attack("a link in a mail begins a sign-in", 303, ANY, (("Sec-Fetch-Site", "none"),),
           target="/people/session/login"),
    Attack("a sign-in begun at the API's host", 404, "not-found", (OWN,), target="/people/session/login",
           host="localhost"),
    goes_on("a sign-in that leads to another site", "https://evil.example/"),
    goes_on("a sign-in that leads to another site by two slashes", "//evil.example"),
    goes_on("a sign-in that leads to another site by two encoded slashes", "%2F%2Fevil.example"),
    goes_on("a sign-in that leads to another site by a backslash", "/%5Cevil.example"),
    goes_on("a sign-in that leads to a script", "javascript:alert(1)"),
    goes_on("a sign-in whose return adds a header", "/people%0d%0aSet-Cookie:%20a=b"),
    comes_back("a callback without the cookie of a sign-in", "code=abc&state=abc"),
    comes_back("a callback with a cookie of the attacker's making", f"code=abc&state={'A' * 43}",
               ("Cookie", f"__Host-almanac-people.login={'A' * 43}")),
    comes_back("a callback with the cookie of a session", "code=abc&state=@value@",
               ("Cookie", "__Host-almanac-people.login=@value@")),
    comes_back("a callback whose state adds a header", "code=abc&state=a%0d%0aSet-Cookie:%20a=b"),
    comes_back("a callback whose error is markup", "error=%3Cscript%3Ealert(1)%3C/script%3E&state=abc"),
    # Paths.
    tricks("a path of files that leaves them by a semicolon", 404, "/assets/..;/live/config"),
    tricks("a path of files that leaves them", 404, "/assets/../live/config"),
    tricks("a path of files that leaves them, encoded", 404, "/assets/%2e%2e/live/config"),
    tricks("a path with two slashes at its beginning", 404, "//live/config"),
    tricks("a path that leaves the page's folder", 400, "/../live/config"),
    tricks("a path that leaves the page's folder, encoded", 400, "/%2e%2e/live/config"),
    tricks("a path with an encoded slash", 404, "/live%2fconfig"),
    tricks("a path with a backslash", 404, "/live\\config"),
    tricks("a path in other letters", 404, "/LIVE/config"),
    tricks("a path with a zero byte", 400, "/live/config%00"),
    tricks("a path with a parameter of its own", 404, "/live/config;application=console"),
    tricks("an environment whose name is another's path", 404, "/staging/../live%2fconfig"),
    tricks("a key of the certificate by a path", 400, "/assets/../../../tls/server.key"),
]

ATTACKS = AT_THE_ROUTER + IN_FRONT
