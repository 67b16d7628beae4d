"""A realistic config of a shop's app, edited by several people over many releases and three majors."""

import functools
import os
import tempfile

FIRST = {
    "app.name": ("Marigold", "Shown in the title bar and in mail"),
    "app.theme.background": ("#fff8f0", "Behind everything, on every screen"),
    "app.theme.accent": ("#b5532a", "Buttons and links; checked for contrast by design"),
    "app.theme.follow_system": (True, "Dark mode as the device has it"),
    "app.support.url": ("https://help.marigold.example/start", "Opened by Help"),
    "app.support.mail": ("help@marigold.example", ""),
    "banner.enabled": (False, "Kill switch of the banner"),
    "banner.text": ("Spring sale: 20 % off everything,\nuntil Sunday night.", "At most two lines"),
    "banner.until": ("2026-12-01T18:00:00.000Z", "Hidden after this time"),
    "checkout.fees": ({"card": {"percent": 1.4, "fixed": 0.25}, "invoice": {"percent": 0, "fixed": 1.5},
                       "currency": "EUR"}, "Percent and fixed fee of each method of payment"),
    "checkout.methods": (["card", "invoice", "transfer"], "In the order in which they are offered"),
    "limits.cart.items": (60, "More than this and the cart says so"),
    "limits.retries": (3, "How often a request is tried again"),
    "limits.timeout_seconds": (2.5, "Of one request"),
    "limits.upload_bytes": (26214400, "25 MiB; the server takes no more"),
    "onboarding.steps": ([{"title": "Welcome", "image": "hello.webp"}, {"title": "Choose a shop near you",
                          "image": "map.webp"}, {"title": "Say when you are at home", "image": "clock.webp"}], ""),
    "search.index": ("products-v7", "Alias of the search index"),
    "search.synonyms": ({"sofa": ["couch", "settee"], "tv": ["television", "telly"]}, ""),
    "session.timeout_minutes": (30, ""),
}

# Releases: author, message and entries. None removes a key; a bare value keeps its description.
RELEASES = [
    ("Mara Lindqvist", "First config of Marigold", FIRST),
    ("Jonas Weber", "Greetings in the languages of our shops", {
        "welcome.de": ("Schön, dass Sie da sind!", "First screen after sign-in"),
        "welcome.ar": ("أهلاً بكم في متجرنا", "Right to left"),
        "welcome.he": ("ברוכים הבאים", "Right to left"),
        "welcome.hi": ("आपका स्वागत है", ""),
        "welcome.ja": ("いらっしゃいませ", ""),
        "welcome.el": ("Καλώς ήρθατε", ""),
        "welcome.uk": ("Ласкаво просимо 🌻", ""),
        "welcome.en": ("Good to see you!", "First screen after sign-in"),
    }),
    ("release job", "Switches for 2.0", {
        "feature.new_checkout": (False, "The second checkout, until it is the only one"),
        "feature.wish_lists": (True, ""),
        "feature.map_of_shops": (True, "Needs the permission for the place"),
        "feature.calendar": (False, "Times of delivery as a calendar"),
    }),
    ("Mara Lindqvist", "Two more tries: trains have gaps", {"limits.retries": 5}),
    ("Priya Raman", "The wait is part of the plan of retries now", {
        "limits.timeout_seconds": None,
        "limits.retries": ({"times": 5, "first_wait_seconds": 0.5, "longest_wait_seconds": 20},
                           "How often a request is tried again, and after how long"),
    }),
    ("Jonas Weber", "Contrast of buttons", {"app.theme.accent": "#9a3412"}),
    ("Priya Raman", "Autumn", {
        "banner.enabled": True,
        "banner.text": "Autumn is here: soups, scarves and 15 % off slippers.",
        "banner.until": "2026-11-30T22:59:59.000Z",
    }),
    ("Mara Lindqvist", "Methods of payment by country", {
        "checkout.methods": ({"DE": ["invoice", "card", "transfer"], "NL": ["ideal", "card"],
                              "SE": ["invoice", "card"]},
                             "By country, in the order in which they are offered"),
        "checkout.express": (False, ""),
    }),
    ("release job", "Fees of 2027", {
        "checkout.fees": {"card": {"percent": 1.2, "fixed": 0.25}, "invoice": {"percent": 0, "fixed": 1.9},
                          "currency": "EUR"}}),
    ("Jonas Weber", "Wish lists may be shared", {"feature.wish_lists.share_limit": (25, "People for each list")}),
]


# Flags: definition and description.
FLAGS = {
    "checkout.second": ({
        "state": "ENABLED", "variants": {"on": True, "off": False}, "defaultVariant": "off",
        "targeting": {"if": [
            {"and": [{"ends_with": [{"var": "email"}, "@marigold.example"]},
                     {"sem_ver": [{"var": "version"}, ">=", "2.10.0"]}]}, "on",
            {"in": [{"var": "country"}, ["DE", "AT", "CH"]]}, {"fractional": [["on", 20], ["off", 80]]},
            {"$ref": "testers"}, {"almanac.ramp": [
                [["2026-11-01T09:00:00Z", 0], ["2026-12-01T09:00:00Z", 100]], "on", "off"]},
            "off"]}}, "The second checkout, until it is the only one"),
    "search.engine": ({
        "state": "ENABLED", "variants": {"classic": "products-v7", "hybrid": "products-v8", "vector": "products-v9"},
        "defaultVariant": "classic", "metadata": {"almanac.public": True},
        "targeting": {"fractional": [{"var": "account"}, ["classic", 60], ["hybrid", 30], ["vector", 10]]}},
        "Which index answers searches"),
    "banner.sale": ({"state": "DISABLED", "variants": {"on": True, "off": False}, "defaultVariant": "on"}, ""),
    "theme.season": ({
        "state": "ENABLED", "defaultVariant": "warm",
        "variants": {"warm": {"accent": "#b5532a", "paper": "#fff8f0"}, "cold": {"accent": "#24508f"}},
        "targeting": {"if": [
            {"<": [1, {"var": "age"}, 3]}, "cold",
            {"or": [{"!": [{"==": [{"almanac.flag": "checkout.second"}, "on"]}]},
                    {"almanac.date": [{"var": "$flagd.timestamp"}, ">=", "2026-12-24T00:00:00Z"]}]}, "cold"]}}, ""),
}
SHARED = {"$evaluators": {"testers": {"in": [{"var": "team"}, ["qa", "ops"]]}}}


def make_flags(instance, environment):
    """Adds the shop's flags and the rule that they share."""
    body = {key: {"value": value, "description": description, "kind": "flag"}
            for key, (value, description) in FLAGS.items()}
    body["_flags"] = {"value": SHARED, "kind": "flag-set"}
    instance.must("PATCH", f"/{environment}/config?replace=true&form=entries", body,
                  token=token_of(instance, environment, "Mara Lindqvist"),
                  headers={"Content-Type": "application/json", "Almanac-Message": "Who gets what"})


@functools.cache
def token_of(instance, environment, label, scope="config:write"):
    """Creates an API token, whose label becomes the author of its changes, and waits until the server accepts it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "token")
        instance.almanac("token", "create", environment, "--scope", scope, "--label", label, "--output", path,
                         "--owner", label, "--owner-name", label)
        with open(path, encoding="ascii") as file:
            token = file.read().strip()
    for _ in range(1000):
        if instance.call("GET", f"/{environment}/session", token=token).status == 200:
            return token
    raise AssertionError(f"the server of {environment} does not accept the token of {label}")


def make_releases(instance, environment, releases=len(RELEASES)):
    """Makes the first releases, each by its author."""
    instance.begin(environment, {})
    for author, message, entries in RELEASES[:releases]:
        body = {}
        for key, entry in entries.items():
            if entry is None:
                body[key] = None
            elif isinstance(entry, tuple):
                body[key] = {"value": entry[0], "description": entry[1]}
            else:
                body[key] = {"value": entry}
        instance.must("PATCH", f"/{environment}/config?replace=true&form=entries", body,
                      token=token_of(instance, environment, author),
                      headers={"Content-Type": "application/json", "Almanac-Message": message})
