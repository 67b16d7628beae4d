// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// What the libraries for apps reach servers with. On Linux not with Foundation's own, which ends the process when a
/// connection breaks within the head of an answer (Swift 6.3).
let carrier: [Target.Dependency] = [
    "WebExchange",
    .target(name: "HTTPSClient", condition: .when(platforms: [.linux])),
    .target(name: "URLSessionCarrier", condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
]

/// Modules in the order of the layers: a module depends only on those above it.
let targets: [Target] = [
    // C libraries, found through pkg-config.
    .systemLibrary(name: "CLinux"),
    .systemLibrary(name: "CFastCGI", pkgConfig: "fcgi", providers: [.apt(["libfcgi-dev"])]),
    .systemLibrary(name: "CLibPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "CJansson", pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    // The operating system and plain values.
    .target(name: "POSIX", dependencies: ["CLinux"]),
    .target(name: "Revisions"),
    .target(name: "Timestamps"),
    .target(name: "Metrics", dependencies: ["POSIX"]),

    // A library for other apps too: plain Swift, no dependencies.
    .target(name: "TextMerge"),

    // HTTP as whoever waits for an answer sees it.
    .target(name: "WebExchange"),

    // The only modules that touch a C library.
    .target(name: "FastCGI", dependencies: ["CFastCGI", "CLinux", "POSIX"]),
    .target(name: "PostgreSQL", dependencies: ["CLibPQ", "POSIX", "Timestamps"]),
    .target(name: "JSON", dependencies: ["CJansson"]),
    .target(name: "Cryptography", dependencies: ["COpenSSL"]),
    .target(name: "HTTPSClient", dependencies: ["CCurl", "COpenSSL", "POSIX", "WebExchange"]),

    // Libraries for apps: Foundation, and nothing of the server.
    .target(name: "URLSessionCarrier", dependencies: ["WebExchange"]),
    .target(name: "NotesSync", dependencies: ["CSQLite", "TextMerge"] + carrier),
    .target(name: "RemoteConfig", dependencies: ["Revisions"] + carrier),
    .target(name: "SignIn", dependencies: carrier),

    // What every domain shares.
    .target(name: "HTTP", dependencies: ["JSON", "Timestamps"]),
    .target(name: "Environments", dependencies: ["HTTPSClient", "JSON", "PostgreSQL", "POSIX"]),
    .target(name: "Identity", dependencies: ["Cryptography", "HTTP", "POSIX", "PostgreSQL", "Timestamps"]),
    .target(name: "OpenIDConnect", dependencies: ["Cryptography", "HTTPSClient", "JSON", "POSIX", "Timestamps"]),

    .target(name: "Migrations", dependencies: ["Cryptography", "POSIX", "PostgreSQL"]),
    .target(name: "AlmanacClient", dependencies: ["HTTPSClient", "JSON", "POSIX"]),

    // One domain each.
    .target(
        name: "Config",
        dependencies: [
            "Environments", "HTTP", "Identity", "JSON", "Metrics", "POSIX", "PostgreSQL", "Revisions", "Timestamps",
        ]),
    .target(
        name: "Notes",
        dependencies: [
            "Cryptography", "Environments", "HTTP", "JSON", "Metrics", "PostgreSQL", "Revisions", "TextMerge",
            "Timestamps",
        ]),
    .target(
        name: "Maintenance",
        dependencies: ["Environments", "HTTPSClient", "JSON", "Migrations", "POSIX", "PostgreSQL", "Timestamps"]),

    .target(
        name: "Events",
        dependencies: [
            "Environments", "FastCGI", "HTTP", "Identity", "JSON", "Metrics", "Notes", "OpenIDConnect", "POSIX",
            "PostgreSQL", "Revisions", "TextMerge", "Timestamps",
        ]),

    // What the server programs share.
    .target(
        name: "Serving",
        dependencies: [
            "Environments", "FastCGI", "HTTP", "Identity", "JSON", "Metrics", "Migrations", "Notes", "OpenIDConnect",
            "POSIX", "PostgreSQL", "Timestamps",
        ]),

    // Thin executables.
    .executableTarget(
        name: "AlmanacWorker",
        dependencies: [
            "Config", "Environments", "FastCGI", "HTTP", "Identity", "Metrics", "Migrations", "Notes", "POSIX",
            "PostgreSQL", "Serving",
        ]),
    .executableTarget(
        name: "AlmanacEvents",
        dependencies: [
            "Config", "Environments", "Events", "FastCGI", "HTTP", "Identity", "Metrics", "Migrations", "Notes",
            "POSIX", "PostgreSQL", "Serving",
        ]),
    .executableTarget(
        name: "AlmanacCommand",
        dependencies: [
            "AlmanacClient", "Config", "Cryptography", "Environments", "HTTPSClient", "Identity", "JSON", "Maintenance",
            "Migrations", "NotesSync", "OpenIDConnect", "POSIX", "PostgreSQL", "SignIn", "Timestamps",
        ]),

    // Examples of the libraries for apps, in a terminal.
    .target(name: "TerminalUI"),
    .executableTarget(name: "ColourDemo", dependencies: ["RemoteConfig", "TerminalUI"]),
    .executableTarget(name: "NotesEditor", dependencies: ["NotesSync", "TerminalUI", "TextMerge"]),
    .executableTarget(name: "SignInDemo", dependencies: ["SignIn", "TerminalUI"]),

    // Tests.
    .target(
        name: "Support", dependencies: ["CCurl", "JSON", "Migrations", "POSIX", "PostgreSQL", "TextMerge"],
        path: "Tests/Support"),
    .testTarget(name: "ArchitectureTests"),
    .testTarget(name: "POSIXTests", dependencies: ["POSIX", "Support"]),
    .testTarget(name: "RevisionsTests", dependencies: ["Revisions"]),
    .testTarget(name: "TimestampsTests", dependencies: ["Timestamps"]),
    .testTarget(name: "MetricsTests", dependencies: ["JSON", "Metrics", "POSIX", "Support"]),
    .testTarget(name: "TextMergeTests", dependencies: ["POSIX", "TextMerge"]),
    .testTarget(name: "RemoteConfigTests", dependencies: ["POSIX", "RemoteConfig", "Revisions", "Support"]),
    .executableTarget(
        name: "sign-in-refresher", dependencies: ["HTTPSClient", "POSIX", "SignIn"], path: "Tests/SignInTests/refresher"),
    .testTarget(
        name: "SignInTests", dependencies: ["Cryptography", "POSIX", "SignIn", "Support", "sign-in-refresher"],
        exclude: ["refresher"]),
    .testTarget(name: "FastCGITests", dependencies: ["FastCGI", "POSIX", "Support"]),
    .testTarget(name: "PostgreSQLTests", dependencies: ["PostgreSQL", "POSIX", "Support", "Timestamps"]),
    .testTarget(name: "JSONTests", dependencies: ["JSON"]),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography", "Support"]),
    .testTarget(name: "HTTPSClientTests", dependencies: ["HTTPSClient", "POSIX", "Support"]),
    .testTarget(
        name: "WebExchangeTests", dependencies: ["HTTPSClient", "POSIX", "Support", "URLSessionCarrier", "WebExchange"]),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "JSON", "Timestamps"]),
    .testTarget(name: "EnvironmentsTests", dependencies: ["Environments", "HTTPSClient", "POSIX", "PostgreSQL", "Support"]),
    .testTarget(
        name: "IdentityTests", dependencies: ["HTTP", "Identity", "POSIX", "PostgreSQL", "Support", "Timestamps"]),
    .testTarget(
        name: "OpenIDConnectTests",
        dependencies: ["Cryptography", "HTTPSClient", "JSON", "OpenIDConnect", "POSIX", "Support", "Timestamps"],
        exclude: ["provider"]),
    .testTarget(name: "AlmanacClientTests", dependencies: ["AlmanacClient", "JSON", "Support"]),
    .testTarget(name: "AlmanacCommandTests", dependencies: ["AlmanacCommand", "JSON", "Support"]),
    .testTarget(name: "MaintenanceTests", dependencies: ["Maintenance", "Timestamps"]),
    .testTarget(name: "MigrationsTests", dependencies: ["Migrations", "POSIX", "PostgreSQL", "Support"]),
    .testTarget(
        name: "ConfigTests",
        dependencies: [
            "Config", "Environments", "HTTP", "Identity", "JSON", "Metrics", "Migrations", "POSIX", "PostgreSQL",
            "Revisions", "Support", "Timestamps",
        ]),
    .testTarget(
        name: "NotesTests",
        dependencies: [
            "Cryptography", "Environments", "HTTP", "JSON", "Metrics", "Migrations", "Notes", "POSIX", "PostgreSQL",
            "Revisions", "Support", "TextMerge", "Timestamps",
        ]),
    .executableTarget(name: "notes-typist", dependencies: ["NotesSync"], path: "Tests/NotesSyncTests/typist"),
    .executableTarget(name: "notes-device", dependencies: ["NotesSync"], path: "Tests/NotesSyncTests/device"),
    .testTarget(
        name: "NotesSyncTests",
        dependencies: ["JSON", "NotesSync", "POSIX", "Support", "TextMerge", "notes-device", "notes-typist"],
        exclude: ["device", "typist"]),
    .testTarget(
        name: "EventsTests",
        dependencies: [
            "Config", "Environments", "Events", "FastCGI", "HTTP", "Identity", "JSON", "Metrics", "Notes", "OpenIDConnect",
            "POSIX", "PostgreSQL", "Revisions", "Support", "TextMerge", "Timestamps",
        ]),
    .testTarget(name: "TerminalUITests", dependencies: ["TerminalUI"]),
    .testTarget(
        name: "Acceptance",
        dependencies: [
            "AlmanacCommand", "ColourDemo", "JSON", "Migrations", "NotesEditor", "POSIX", "PostgreSQL", "RemoteConfig",
            "SignInDemo", "Support", "Timestamps",
        ]),

    // Measurements.
    .executableTarget(name: "load-merge", dependencies: ["TextMerge"], path: "Tests/Load/merge", exclude: ["compare"]),
    .executableTarget(
        name: "load-notessync", dependencies: ["NotesSync"], path: "Tests/Load/notessync", exclude: ["run"]),
]

for target in targets where target.type != .system {
    target.swiftSettings = strict
}

let package = Package(
    name: "almanac",
    // The client libraries' on Apple platforms; the server runs on Linux.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "TextMerge", targets: ["TextMerge"]),
        .library(name: "NotesSync", type: .static, targets: ["NotesSync"]),
        .library(name: "RemoteConfig", type: .static, targets: ["RemoteConfig"]),
        .library(name: "SignIn", type: .static, targets: ["SignIn"]),
        .executable(name: "almanac-worker", targets: ["AlmanacWorker"]),
        .executable(name: "almanac-events", targets: ["AlmanacEvents"]),
        .executable(name: "almanac", targets: ["AlmanacCommand"]),
    ],
    targets: targets
)
