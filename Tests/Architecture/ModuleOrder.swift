/// Which module may stand on which, from the bottom to the top.
enum ModuleOrder {
    /// The C modules with the folders that may import them.
    static let owners: [String: [String]] = [
        "CCurl": ["Sources/Platform/HTTPSClient", "Tests/Support"],
        "CFastCGI": ["Sources/Platform/FastCGI"],
        "CJansson": ["Sources/Platform/JSON"],
        "CLibPQ": ["Sources/Platform/PostgreSQL"],
        "CLinux": ["Sources/Platform/POSIX", "Sources/Platform/FastCGI"],
        "COpenSSL": ["Sources/Platform/Cryptography", "Sources/Platform/HTTPSClient"],
        "CSQLite": ["Sources/Platform/SQLite"],
    ]

    /// The folders that may call the operating system themselves.
    static let systemCallers = [
        "Sources/Platform/POSIX", "Sources/Platform/FastCGI", "Sources/Platform/PostgreSQL", "Sources/Platform/JSON",
        "Sources/Platform/Cryptography",
        "Sources/Examples/TerminalUI", "Sources/Apps/AlmanacSignIn/Redirect", "Sources/Apps/AlmanacSignIn/Storage",
        "Tests",
    ]

    /// The folders of libraries for apps and of their examples, which use Foundation, as apps do, and of what the command
    /// line has to do with those libraries.
    static let foundationUsers = [
        "Sources/Platform/URLSessionTransport", "Sources/Apps/AlmanacNotes", "Sources/Apps/AlmanacConfig",
        "Sources/Apps/AlmanacSignIn", "Sources/Examples/ColourDemo",
        "Sources/Examples/NotesEditor", "Sources/Examples/SignInDemo", "Sources/Programs/AlmanacCommand/Libraries",
    ]

    /// A module imports only modules of layers before its own, and those of `neighbours`.
    static let layers: [Set<String>] = [
        ["POSIX", "Revisions", "TerminalUI", "TextMerge", "Timestamps", "WebExchange"],
        ["Metrics"],
        ["FastCGI", "PostgreSQL", "JSON", "Cryptography", "HTTPSClient", "URLSessionTransport"],
        ["AlmanacNotes", "AlmanacConfig", "AlmanacSignIn"],
        ["HTTP", "Environments", "Identity", "Migrations", "OpenIDConnect", "AlmanacClient"],
        ["Config", "Events", "Notes", "Maintenance"],
        ["Serving"],
        [
            "AlmanacWorker", "AlmanacEvents", "AlmanacCommand", "AlmanacColourDemo", "AlmanacNotesEditor",
            "AlmanacSignInDemo",
        ],
    ]

    /// Modules of the same layer that a module may import.
    static let neighbours: [String: Set<String>] = ["Identity": ["HTTP"], "Events": ["Notes"]]

    /// What no app brings along.
    private static let serversOwn: Set<String> = [
        "Cryptography", "FastCGI", "JSON", "Metrics", "POSIX", "PostgreSQL", "TerminalUI", "Timestamps",
    ]

    /// Modules of a lower layer that a module may not import all the same.
    static let refusals: [String: Set<String>] = [
        "AlmanacNotes": serversOwn,
        "AlmanacConfig": serversOwn.union(["TextMerge"]),
        "AlmanacSignIn": serversOwn.union(["Revisions", "TextMerge"]),
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
        "AlmanacColourDemo": ["FastCGI", "PostgreSQL", "JSON", "HTTPSClient"],
        "AlmanacNotesEditor": ["FastCGI", "PostgreSQL", "JSON", "HTTPSClient"],
        "AlmanacSignInDemo": ["FastCGI", "PostgreSQL", "JSON", "HTTPSClient"],
    ]

    static func layer(of module: String) -> Int? {
        layers.firstIndex { $0.contains(module) }
    }
}
