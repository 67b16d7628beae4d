extension CostliestRequest {
    /// At least one request for each operation of the API. No request removes data that a later request needs.
    static let all = health + config + flags + imports + attachments + notes + sessions + ends

    /// The headers that create a session, which only the hosts of the pages allow.
    private static let console = [
        ("Host", "console.localhost"), ("Sec-Fetch-Site", "same-origin"), ("Almanac-Session", "1"),
    ]
    private static let jsonPatch = [("Content-Type", "application/merge-patch+json")]

    private static let health: [CostliestRequest] =
        [
            "/-/live", "/-/ready", "/-/healthy", "/-/metrics", "/-/events/live", "/-/events/ready", "/-/events/healthy",
            "/-/events/metrics",
        ].map { CostliestRequest("GET \($0)", "nothing to vary", by: .nobody) } + [
            CostliestRequest("GET /environments", "nothing to vary", by: .nobody)
        ]

    private static let config: [CostliestRequest] = [
        .init("GET /{environment}/config", "all entries, as changes", query: "since=0"),
        .init("GET /{environment}/config", "a search of ten stars", query: "q=%2A%2A%2A%2A%2A%2A%2A%2A%2A%2Az"),
        .init("GET /{environment}/config.json", "all entries, nested", query: "nested=true"),
        .init("GET /{environment}/config/{key}", "a value of 250 KB"),
        .init("GET /{environment}/config/{key}/history", "a page of 1,000", query: "limit=1000"),
        .init("GET /{environment}/diff/{other}", "entry by entry", query: "form=entries&replace=true"),
        .init("GET /{environment}/majors", "nothing to vary"),
        .init("GET /{environment}/releases", "a page of 1,000", query: "limit=1000"),
        .init("GET /{environment}/releases/{revision}", "the release of all entries"),
        .init("GET /{environment}/status", "nothing to vary"),
        .init("GET /{environment}/audit", "a page of 1,000", query: "limit=1000"),
        .init("GET /{environment}/events", "events since the first revision", query: "wait=0&lastEventId=0"),
        .init("GET /{environment}/events/status", "nothing to vary"),
        .init(
            "PATCH /{environment}/config", "a dry run of 300,000 names", 422, query: "dry_run=true",
            headers: jsonPatch, body: CostlyBodies.manyMembers),
        .init(
            "PATCH /{environment}/config", "a dry run of 10,000 new entries", 422, query: "dry_run=true",
            headers: jsonPatch, body: CostlyBodies.entries),
        .init(
            "PATCH /{environment}/config", "a dry run of a value of 100,000 members", 422, query: "dry_run=true",
            headers: jsonPatch, body: CostlyBodies.members),
        .init(
            "PATCH /{environment}/config", "a dry run of a value of 400,000 numbers", 422, query: "dry_run=true",
            headers: jsonPatch, body: CostlyBodies.manyNumbers),
        .init(
            "PATCH /{environment}/config", "a dry run of a cycle of 3,000 flags", 422,
            query: "dry_run=true&replace=true&form=entries", body: CostlyBodies.entryCycle),
        .init("POST /{environment}/config", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("PUT /{environment}/config/{key}", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("POST /{environment}/releases/{revision}/restore", "all entries", query: "dry_run=true"),
        .init("GET /{environment}/proposals", "nothing to vary"),
        .init("GET /{environment}/approvals", "nothing to vary"),
        .init("GET /{environment}/calendar", "nothing to vary"),
        .init("POST /{environment}/releases/{revision}/acknowledge", "nothing to vary", 400, query: "unknown=1"),
        .init("GET /{environment}/proposals/{number}", "a proposal that is none", 404),
        .init("PATCH /{environment}/proposals/{number}", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("POST /{environment}/proposals/{number}/submit", "no version", 428),
        .init("POST /{environment}/proposals/{number}/recall", "no version", 428),
        .init("POST /{environment}/proposals/{number}/withdraw", "no version", 428),
        .init(
            "POST /{environment}/proposals/{number}/rebase", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("POST /{environment}/proposals/{number}/apply", "no effect", 428),
        .init(
            "POST /{environment}/proposals/{number}/reviews", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("DELETE /{environment}/proposals/{number}/reviews/{id}", "no number of a review", 400),
    ]

    private static let flags: [CostliestRequest] =
        [
            .init("GET /{environment}/flags", "1,000 flags"),
            .init("GET /{environment}/flags.json", "1,000 flags"),
            .init("GET /{environment}/openfeature/v0/manifest", "1,000 flags"),
            .init("GET /{environment}/flags/{key}/evaluations", "one of 1,000 flags", names: ["key": "flag-7"]),
            .init("POST /{environment}/flags/{key}/disable", "one of 1,000 flags", names: ["key": "flag-7"]),
            .init("POST /{environment}/flags/{key}/enable", "one of 1,000 flags", names: ["key": "flag-7"]),
            .init(
                "POST /{environment}/ofrep/v1/evaluate/flags", "1,000 flags that look for one of 90,000 groups",
                by: .nobody, body: CostlyBodies.evaluation),
            .init(
                "POST /{environment}/ofrep/v1/evaluate/flags/{key}", "a flag that looks for one of 90,000 groups",
                by: .nobody, names: ["key": "flag-7"], body: CostlyBodies.evaluation),
        ]
        + [
            ("a value that doubles 40 times", CostlyBodies.doubling), ("a value 70,000 deep", CostlyBodies.nesting),
            ("100 comparisons of a number of 1 MB", CostlyBodies.longNumber),
            ("600 comparisons of a long list", CostlyBodies.comparisons),
        ].map { about, body in
            .init("POST /{environment}/flags/{key}/explain", about, names: ["key": "flag-7"], body: body)
        } + [
            .init(
                "POST /{environment}/flags/{key}/sample", "100,000 callers split by a list of 500,000",
                names: ["key": "flag-7"], body: CostlyBodies.sample)
        ]
        + [
            ("a cycle of 3,000 flags", CostlyBodies.flagCycle),
            ("13,000 shared rules in a row", CostlyBodies.sharedRules),
            ("eight flags of 3,300 patterns", CostlyBodies.patterns),
            ("metadata of 100 KB for 8,000 variants", CostlyBodies.metadata),
        ].map { about, body in
            .init(
                "PUT /{environment}/flags.json", "a dry run of \(about)", 422, query: "dry_run=true&fractional=3",
                body: body)
        }

    private static let imports: [CostliestRequest] = [
        .init(
            "POST /{environment}/imports/{system}", "1,390,000 objects", 422, names: ["system": "unleash"],
            body: CostlyBodies.manyObjects),
        .init(
            "POST /{environment}/imports/{system}", "4,000 flags of a rule", names: ["system": "launchdarkly"],
            body: CostlyBodies.foreignFlags),
    ]

    private static let notes: [CostliestRequest] = [
        .init("GET /{environment}/notes", "a page of 1,000 notes", by: .user, query: "limit=1000"),
        .init("GET /{environment}/notes", "a search for 32 beginnings", by: .user, query: "q=\(beginnings)"),
        .init("GET /{environment}/notes/{id}", "a note of 900 KB as it was", by: .user, query: "revision=1"),
        .init("GET /{environment}/notes/{id}/history", "a page of 1,000", by: .user, query: "limit=1000"),
        .init("GET /{environment}/account", "notes of 4 MB", by: .user),
        .init(
            "POST /{environment}/notes", "60 edits of the first text of a note of 900 KB", by: .user,
            body: CostlyBodies.edits),
        .init("POST /{environment}/notes", "1,390,000 objects", 422, by: .user, body: CostlyBodies.manyObjects),
        .init(
            "PATCH /{environment}/notes/{id}", "a rewriting of the first text of a note of 900 KB", by: .user,
            body: CostlyBodies.wholeEdit),
        .init("PUT /{environment}/notes/{id}", "300,000 names", 422, by: .user, body: CostlyBodies.manyMembers),
        .init(
            "POST /{environment}/notes/{id}/restore", "a note of 900 KB", by: .user, body: { #"{"revision":1}"# }),
        .init("DELETE /{environment}/notes/{id}", "a note of 900 KB, with its past", by: .user, query: "purge=true"),
    ]

    /// The id of an attachment of 25 MiB whose last piece has not been sent.
    static let attachment = "largelargelargelargelargel"
    private static let large = ["id": attachment]

    private static let attachments: [CostliestRequest] = [
        .init(
            "PUT /{environment}/attachments/{id}", "300,000 names", 422, by: .user, names: large,
            body: CostlyBodies.manyMembers),
        .init(
            "PATCH /{environment}/attachments/{id}", "the last piece of 25 MiB", 204, by: .user, names: large,
            headers: [
                ("Content-Type", "application/octet-stream"),
                ("Upload-Offset", "\(24 * CostlyBodies.piece().utf8.count)"),
            ], body: CostlyBodies.piece),
        .init("GET /{environment}/attachments", "nothing to vary", by: .user),
        .init("GET /{environment}/attachments/{id}", "25 MiB", by: .user, names: large),
        .init("DELETE /{environment}/attachments/{id}", "25 MiB", 204, by: .user, names: large),
    ]

    private static let beginnings = (0..<32).map { "\(Array("abcdefgh")[$0 % 8])*" }.joined(separator: "+")

    private static let sessions: [CostliestRequest] = [
        .init("GET /{environment}/session", "a token of 8 KB", 401, by: .nobody, headers: [("Authorization", long)]),
        .init(
            "POST /{environment}/session", "1,390,000 objects", 413, by: .nobody, headers: console,
            body: CostlyBodies.manyObjects),
        .init("DELETE /{environment}/session", "no session", 401, by: .nobody, headers: console),
        .init(
            "GET /{environment}/session/callback", "a code of 7 KB", 303, by: .nobody, query: "code=\(letters)",
            headers: console),
        .init(
            "GET /{environment}/session/login", "a place of 7 KB", 400, by: .nobody, query: "return=\(letters)",
            headers: console),
        .init("POST /{environment}/session/link", "nothing to vary", 201),
        .init("GET /{environment}/sessions", "nothing to vary"),
        .init("DELETE /{environment}/sessions/{id}", "a session that is none", 404),
        .init("GET /{environment}/tokens", "nothing to vary"),
        .init("POST /{environment}/tokens", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("POST /{environment}/tokens/{id}/rotate", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("DELETE /{environment}/tokens/{id}", "a token that is none", 404),
        .init("PATCH /{environment}/tokens/{id}", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("GET /{environment}/people", "nothing to vary"),
        .init("PATCH /{environment}/people/{id}", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("DELETE /{environment}/people/{id}", "a person who is none", 404),
        .init("POST /{environment}/people/{id}/admit", "a person who is none", 404),
        .init("GET /{environment}/hooks", "nothing to vary"),
        .init("POST /{environment}/hooks", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("GET /{environment}/hooks/{id}", "a hook that is none", 404),
        .init("PATCH /{environment}/hooks/{id}", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("DELETE /{environment}/hooks/{id}", "a hook that is none", 404),
        .init("POST /{environment}/hooks/{id}/enable", "a hook that is none", 404),
        .init("POST /{environment}/hooks/{id}/rotate", "a hook that is none", 404),
        .init("POST /{environment}/hooks/{id}/test", "a hook that is none", 404),
        .init("POST /{environment}/hooks/{id}/replay", "no revision", 400),
        .init("GET /{environment}/hooks/{id}/deliveries", "a hook that is none", 404),
        .init("POST /{environment}/hooks/{id}/deliveries/{delivery}/again", "a number that is none", 400),
        .init("GET /{environment}/invitations", "nothing to vary"),
        .init("POST /{environment}/invitations", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
        .init("DELETE /{environment}/invitations/{id}", "an invitation that is none", 404),
        .init("GET /{environment}/passkeys", "no session", 401, by: .nobody, headers: console),
        .init("DELETE /{environment}/passkeys/{id}", "no session", 401, by: .nobody, headers: console),
        .init("POST /passkeys/challenge", "nothing to vary", 201, by: .nobody, headers: console, body: { "{}" }),
        .init(
            "POST /passkeys/registration", "1,390,000 objects", 413, by: .nobody, headers: console,
            body: CostlyBodies.manyObjects),
        .init(
            "POST /passkeys/session", "1,390,000 objects", 413, by: .nobody, headers: console,
            body: CostlyBodies.manyObjects),
        .init("PUT /{environment}/appearance", "1,390,000 objects", 422, body: CostlyBodies.manyObjects),
    ]

    private static let letters = String(repeating: "x", count: 7000)
    private static let long = "Bearer almanac_staging_\(letters)"

    private static let ends: [CostliestRequest] = [
        .init("DELETE /{environment}/config/{key}", "a value of 250 KB"),
        .init("DELETE /{environment}/majors/{major}", "a major version that is none", 404),
        .init("DELETE /{environment}/account", "notes of 4 MB", 204, by: .user),
    ]
}
