extension PermissionRequest {
    /// At least one request for each operation of the API. The last request ends the sessions.
    static let all =
        open + reading + writing + notes + identity + [
            .init("DELETE /{environment}/session", .session, query: "")
        ]

    private static let open: [PermissionRequest] =
        [
            "GET /-/live", "GET /-/ready", "GET /-/healthy", "GET /-/metrics", "GET /-/events/live",
            "GET /-/events/ready", "GET /-/events/healthy", "GET /-/events/metrics", "GET /environments",
        ].map { .init($0, .everybody, query: "") } + [
            .init("POST /{environment}/session", .everybody),
            .init("GET /{environment}/session/login", .everybody),
            .init("GET /{environment}/session/callback", .everybody),
            .init("POST /passkeys/challenge", .everybody),
            .init("POST /passkeys/registration", .everybody),
            .init("POST /passkeys/session", .everybody),
        ]

    private static let reading: [PermissionRequest] = [
        .init("GET /{environment}/config", .read, query: ""),
        .init("GET /{environment}/config.json", .read, query: ""),
        .init("GET /{environment}/config/{key}", .read, query: ""),
        .init("GET /{environment}/config/{key}/history", .read, query: ""),
        .init("GET /{environment}/diff/{other}", .read, query: ""),
        .init("GET /{environment}/majors", .read, query: ""),
        .init("GET /{environment}/releases", .read, query: ""),
        .init("GET /{environment}/releases/{revision}", .read, query: ""),
        .init("GET /{environment}/status", .read, query: ""),
        .init("GET /{environment}/events", .events, query: "wait=0&lastEventId=0"),
        .init("GET /{environment}/events", .evaluate, query: "wait=0&lastEventId=0&ofrep=true"),
        .init("GET /{environment}/events/status", .read, query: ""),
        .init("GET /{environment}/flags", .read, query: ""),
        .init("GET /{environment}/flags.json", .read, query: ""),
        .init("GET /{environment}/openfeature/v0/manifest", .read, query: ""),
        .init("GET /{environment}/flags/{key}/evaluations", .read, query: ""),
        .init("POST /{environment}/flags/{key}/explain", .read, query: "", body: "{}"),
        .init("POST /{environment}/flags/{key}/sample", .read, query: "", body: "{}"),
        .init("POST /{environment}/ofrep/v1/evaluate/flags", .evaluate, query: "", body: #"{"context":{}}"#),
        .init("POST /{environment}/ofrep/v1/evaluate/flags/{key}", .evaluate, query: "", body: #"{"context":{}}"#),
    ]

    private static let writing: [PermissionRequest] = [
        .init("POST /{environment}/config", .editBanner, query: "", body: #"{"key":"banner.new","value":1}"#),
        .init("POST /{environment}/config", .edit, query: "", body: #"{"key":"app.new","value":1}"#),
        .init("PATCH /{environment}/config", .editBanner),
        .init("PUT /{environment}/config/{key}", .editBanner, key: "banner.text", query: "", body: #"{"value":1}"#),
        .init("PUT /{environment}/config/{key}", .edit, query: "", body: #"{"value":1}"#),
        .init("DELETE /{environment}/config/{key}", .editBanner, key: "banner.text", query: ""),
        .init("DELETE /{environment}/config/{key}", .edit, query: ""),
        .init("DELETE /{environment}/config/{key}", .admin, query: "purge=true"),
        .init("PUT /{environment}/flags.json", .editBanner),
        .init(
            "PUT /{environment}/flags.json", .edit, query: "dry_run=true&fractional=3",
            body: #"{"flags":{"f":{"state":"ENABLED","variants":{"on":true},"defaultVariant":"on"}}}"#),
        .init(
            "POST /{environment}/imports/{system}", .editBanner, query: "", body: #"{"files":[]}"#),
        .init("POST /{environment}/flags/{key}/disable", .editBanner, key: "banner.flag"),
        .init("POST /{environment}/flags/{key}/disable", .disableTheme, query: ""),
        .init("POST /{environment}/flags/{key}/enable", .editBanner),
        .init("POST /{environment}/releases/{revision}/restore", .editBanner),
        .init("POST /{environment}/releases/{revision}/restore", .edit, query: "dry_run=true"),
        .init("DELETE /{environment}/majors/{major}", .admin, query: ""),
        .init("PATCH /{environment}/config", .propose, query: "propose=true", body: "{}"),
        .init("GET /{environment}/proposals", .read, query: ""),
        .init("GET /{environment}/approvals", .read, query: ""),
        .init("GET /{environment}/calendar", .read, query: ""),
        .init("POST /{environment}/releases/{revision}/acknowledge", .read),
        .init("GET /{environment}/proposals/{number}", .read, query: ""),
        .init("PATCH /{environment}/proposals/{number}", .propose, query: ""),
        .init("POST /{environment}/proposals/{number}/submit", .propose, query: ""),
        .init("POST /{environment}/proposals/{number}/recall", .propose, query: ""),
        .init("POST /{environment}/proposals/{number}/withdraw", .propose, query: ""),
        .init("POST /{environment}/proposals/{number}/rebase", .propose, query: "", body: "{}"),
        .init("POST /{environment}/proposals/{number}/apply", .editBanner, query: ""),
        .init("POST /{environment}/proposals/{number}/reviews", .read, query: "", body: #"{"verdict":"like"}"#),
        .init("DELETE /{environment}/proposals/{number}/reviews/{id}", .read, query: ""),
        .init("PUT /{environment}/appearance", .admin),
    ]

    private static let notes: [PermissionRequest] = [
        "GET /{environment}/notes", "POST /{environment}/notes", "GET /{environment}/notes/{id}",
        "PUT /{environment}/notes/{id}", "PATCH /{environment}/notes/{id}", "DELETE /{environment}/notes/{id}",
        "GET /{environment}/notes/{id}/history", "POST /{environment}/notes/{id}/restore",
        "GET /{environment}/attachments", "GET /{environment}/attachments/{id}",
        "PUT /{environment}/attachments/{id}", "PATCH /{environment}/attachments/{id}",
        "DELETE /{environment}/attachments/{id}", "GET /{environment}/account", "DELETE /{environment}/account",
    ].map { .init($0, .notes) }

    private static let identity: [PermissionRequest] = [
        .init("GET /{environment}/session", .anyCaller, query: ""),
        .init("POST /{environment}/session/link", .sessionLink, query: ""),
        .init("GET /{environment}/sessions", .anyCaller, query: ""),
        .init("DELETE /{environment}/sessions/{id}", .anyCaller, query: ""),
        .init("GET /{environment}/tokens", .admin, query: ""),
        .init("POST /{environment}/tokens", .admin),
        .init("PATCH /{environment}/tokens/{id}", .admin),
        .init("DELETE /{environment}/tokens/{id}", .admin, query: ""),
        .init("POST /{environment}/tokens/{id}/rotate", .admin),
        .init("GET /{environment}/audit", .admin, query: ""),
        .init("GET /{environment}/passkeys", .ownSession, query: ""),
        .init("DELETE /{environment}/passkeys/{id}", .ownSession, query: ""),
        .init("GET /{environment}/hooks", .admin, query: ""),
        .init("POST /{environment}/hooks", .admin),
        .init("GET /{environment}/hooks/{id}", .admin, query: ""),
        .init("PATCH /{environment}/hooks/{id}", .admin),
        .init("DELETE /{environment}/hooks/{id}", .admin, query: ""),
        .init("POST /{environment}/hooks/{id}/enable", .admin, query: ""),
        .init("POST /{environment}/hooks/{id}/rotate", .admin, query: ""),
        .init("POST /{environment}/hooks/{id}/test", .admin, query: ""),
        .init("POST /{environment}/hooks/{id}/replay", .admin, query: "since=1"),
        .init("GET /{environment}/hooks/{id}/deliveries", .admin, query: ""),
        .init("POST /{environment}/hooks/{id}/deliveries/{delivery}/again", .admin, query: ""),
        .init("GET /{environment}/invitations", .admin, query: ""),
        .init("POST /{environment}/invitations", .admin),
        .init("DELETE /{environment}/invitations/{id}", .admin, query: ""),
        .init("GET /{environment}/people", .admin, query: ""),
        .init("PATCH /{environment}/people/{id}", .admin),
        .init("DELETE /{environment}/people/{id}", .admin, query: ""),
        .init("POST /{environment}/people/{id}/admit", .admin, query: ""),
    ]
}
