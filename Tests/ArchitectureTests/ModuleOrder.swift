/// Which module may stand on which, from the bottom to the top.
enum ModuleOrder {
    /// The C modules with the folders that may import them.
    static let owners: [String: [String]] = [
        "CCurl": ["Sources/HTTPSClient", "Tests/Support"],
        "CFastCGI": ["Sources/FastCGI"],
        "CJansson": ["Sources/JSON"],
        "CLibPQ": ["Sources/PostgreSQL"],
        "CLinux": ["Sources/POSIX", "Sources/FastCGI"],
        "COpenSSL": ["Sources/Cryptography", "Sources/HTTPSClient"],
        "CSQLite": ["Sources/NotesSync/SQLite"],
    ]

    /// The folders that may call the operating system themselves.
    static let systemCallers = [
        "Sources/POSIX", "Sources/FastCGI", "Sources/PostgreSQL", "Sources/JSON", "Sources/Cryptography",
        "Sources/TerminalUI", "Sources/SignIn/Redirect", "Sources/SignIn/Storage", "Tests",
    ]

    /// The folders of libraries for apps and of their examples, which use Foundation, as apps do, and of what the command
    /// line has to do with those libraries.
    static let foundationUsers = [
        "Sources/URLSessionCarrier", "Sources/NotesSync", "Sources/RemoteConfig", "Sources/SignIn", "Sources/ColourDemo",
        "Sources/NotesEditor", "Sources/SignInDemo", "Sources/AlmanacCommand/Libraries",
    ]

    /// A module imports only modules of layers before its own, and those of `neighbours`.
    static let layers: [Set<String>] = [
        ["POSIX", "Revisions", "TerminalUI", "TextMerge", "Timestamps", "WebExchange"],
        ["Metrics"],
        ["FastCGI", "PostgreSQL", "JSON", "Cryptography", "HTTPSClient", "URLSessionCarrier"],
        ["NotesSync", "RemoteConfig", "SignIn"],
        ["HTTP", "Environments", "Identity", "Migrations", "OpenIDConnect", "AlmanacClient"],
        ["Config", "Events", "Notes", "Maintenance"],
        ["Serving"],
        ["AlmanacWorker", "AlmanacEvents", "AlmanacCommand", "ColourDemo", "NotesEditor", "SignInDemo"],
    ]

    /// Modules of the same layer that a module may import.
    static let neighbours: [String: Set<String>] = ["Identity": ["HTTP"], "Events": ["Notes"]]

    /// What no app brings along.
    private static let serversOwn: Set<String> = [
        "Cryptography", "FastCGI", "JSON", "Metrics", "POSIX", "PostgreSQL", "TerminalUI", "Timestamps",
    ]

    /// Modules of a lower layer that a module may not import all the same.
    static let refusals: [String: Set<String>] = [
        "NotesSync": serversOwn.union(["Revisions"]),
        "RemoteConfig": serversOwn.union(["TextMerge"]),
        "SignIn": serversOwn.union(["Revisions", "TextMerge"]),
        "HTTP": ["FastCGI", "PostgreSQL", "HTTPSClient"],
        "Environments": ["FastCGI"],
        "Identity": ["FastCGI"],
        "Migrations": ["FastCGI"],
        "OpenIDConnect": ["FastCGI", "PostgreSQL"],
        "AlmanacClient": ["FastCGI", "PostgreSQL"],
        "Config": ["FastCGI", "HTTPSClient"],
        "Events": ["HTTPSClient"],
        "Notes": ["FastCGI", "HTTPSClient"],
        "Maintenance": ["FastCGI"],
        "ColourDemo": ["FastCGI", "PostgreSQL", "JSON", "HTTPSClient"],
        "NotesEditor": ["FastCGI", "PostgreSQL", "JSON", "HTTPSClient"],
        "SignInDemo": ["FastCGI", "PostgreSQL", "JSON", "HTTPSClient"],
    ]

    static func layer(of module: String) -> Int? {
        layers.firstIndex { $0.contains(module) }
    }
}
