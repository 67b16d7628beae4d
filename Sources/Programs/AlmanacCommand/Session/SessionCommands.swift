internal import AlmanacClient
internal import AlmanacJSON
internal import AlmanacPOSIX

/// The commands that begin with `almanac session`.
enum SessionCommands {
    static let all = [
        Command(
            name: "session open", summary: "Print a link that opens the console, or the notes pages, signed in.",
            operands: [Operand(name: "ENVIRONMENT", isOptional: true, isRepeated: true, completion: .environments)],
            options: [
                Option(
                    name: "--application", value: "NAME", help: "console (for operators) or notes; default: console",
                    completion: .words(["console", "notes"])),
                Option(
                    name: "--page", value: "URL",
                    help: "the address of the pages; default: the server's, with console. or notes. before the host"),
                .json,
            ] + Option.server,
            details: """
                The link works once, within ten minutes. The browser's session has the rights of the token, and ends
                with the token. The console needs an API token, the notes pages a user's token.
                """,
            example: """
                $ almanac session open development staging
                https://console.localhost:8443/#/open/development=wO3…,staging=Zk9…
                """, run: open),
        Command(
            name: "session list",
            summary: "List the signed-in browsers: your own, or all with a token of the scope admin.",
            options: [.json] + Option.server,
            example: """
                $ almanac session list
                id            name  application  scopes  signed in                 last used
                4f0c5be2a91d  ops   console      admin   2026-01-02T09:00:00.000Z  2026-01-02T09:30:00.000Z
                """, run: list),
        Command(
            name: "session revoke", summary: "Sign browsers out, at once.",
            operands: [Operand(name: "ID", isOptional: true, isRepeated: true)],
            options: [Option(name: "--all", help: "sign out every browser that 'almanac session list' shows"), .json]
                + Option.server, details: "'almanac session list' shows the ids.",
            example: "$ almanac session revoke 4f0c5be2a91d\n4f0c5be2a91d is signed out", run: revoke),
    ]

    private static func open(_ arguments: Arguments) throws -> ExitStatus {
        let application = arguments.option("--application") ?? "console"
        guard ["console", "notes"].contains(application) else {
            throw UsageFailure("--application must be console or notes")
        }
        let names = arguments.all(of: "ENVIRONMENT")
        let remotes =
            names.isEmpty
            ? [try arguments.remote(writes: true)]
            : try names.map { try arguments.remote(try profile(named: $0, arguments), writes: true) }
        guard let first = remotes.first, remotes.allSatisfy({ $0.base.utf8.elementsEqual(first.base.utf8) }) else {
            throw UsageFailure(
                "a link opens one server, but these environments are on several servers; "
                    + "name environments of one server")
        }
        guard let page = arguments.option("--page") ?? self.page(application, beside: first.base) else {
            throw UsageFailure("the address of the pages cannot be derived from \(first.base); give --page")
        }
        var codes: [(name: String, value: String)] = []
        for remote in remotes {
            let link = try remote.sessionLink()
            guard let code = link["code"]?.stringValue, let kind = link["application"]?.stringValue else {
                throw CommandFailure(description: "the response is not from an Almanac server; check the URL")
            }
            guard kind == application else {
                throw CommandFailure(
                    description: application == "console"
                        ? "the console is for operators; give an API token"
                        : "the notes pages are for users; give a user's token, or run 'almanac login'")
            }
            codes.append((remote.name, code))
        }
        let ending = page.hasSuffix("/") ? "" : "/"
        let url = page + ending + "#/open/" + codes.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
        if arguments.wantsJSON {
            try Output.json(["url": .string(url)])
        } else {
            try Process.output(url + "\n")
        }
        return .success
    }

    /// Returns the profile of an environment. Throws if token files are known, but none for the environment.
    private static func profile(named name: String, _ arguments: Arguments) throws -> Profile {
        let profile = try Settings.profile(named: name, arguments)
        let known = Set(arguments.knownEnvironments).sorted()
        guard profile.tokenFile?.contains("{environment}") == true, !known.isEmpty, !known.contains(name) else {
            return profile
        }
        throw UsageFailure(
            "there is no environment '\(name)'; expected \(known.joined(separator: ", "))"
                + Suggestion.text(for: name, among: known))
    }

    /// Returns the address of the pages set up by `deploy/run` and `deploy/install`; nil if the server's host is no
    /// name.
    static func page(_ application: String, beside server: String) -> String? {
        guard let match = server.wholeMatch(of: /(https?:\/\/)([A-Za-z0-9.\-]+)((:[0-9]+)?)(\/.*)?/),
            match.output.2.contains(where: { $0.isLetter })
        else { return nil }
        // The server is already addressed by the pages' own host.
        if match.output.2.hasPrefix("\(application).") { return "\(match.output.1)\(match.output.2)\(match.output.3)/" }
        return "\(match.output.1)\(application).\(match.output.2)\(match.output.3)/"
    }

    private static func list(_ arguments: Arguments) throws -> ExitStatus {
        let sessions = try arguments.remote(writes: true).sessions()
        if arguments.wantsJSON {
            try Output.json(sessions)
            return .success
        }
        let style = OutputStyle.ofOutput
        let rows = sessions.map { session in
            func text(_ name: String) -> String { TextTable.line(session[name]?.stringValue ?? "") }
            let scopes = session["scopes"]?.arrayValue?.compactMap(\.stringValue) ?? []
            return [
                text("id"), TextTable.line(session["person"]?.objectValue?["name"]?.stringValue ?? text("name")),
                text("application"), scopes.joined(separator: " "),
                style.time(text("signed_in_at")), style.time(text("last_used_at")),
            ]
        }
        try Process.output(
            TextTable.text(["id", "name", "application", "scopes", "signed in", "last used"], rows, style))
        return .success
    }

    private static func revoke(_ arguments: Arguments) throws -> ExitStatus {
        let remote = try arguments.remote(writes: true)
        var ids = arguments.all(of: "ID")
        guard ids.isEmpty == arguments.has("--all") else {
            throw UsageFailure("expected the ids of sessions, or --all")
        }
        if arguments.has("--all") { ids = try remote.sessions().compactMap { $0["id"]?.stringValue } }
        for id in ids {
            try remote.endSession(id)
            if !arguments.wantsJSON { try Process.output("\(TextTable.line(id)) is signed out\n") }
        }
        if arguments.wantsJSON { try Output.json(["revoked": .array(ids.map { .string($0) })]) }
        return .success
    }
}
