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
let transports: [Target.Dependency] = [
    "AlmanacWebExchange",
    .target(name: "AlmanacHTTPSClient", condition: .when(platforms: [.linux])),
    .target(
        name: "AlmanacURLSessionCarrier", condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
]

/// Modules in the order of the layers, which are the folders of Sources: a module depends only on those above it. The
/// architecture tests read these lines.
let targets: [Target] = [
    // C libraries, found through pkg-config.
    .systemLibrary(name: "AlmanacCLinux", path: "Sources/C/CLinux"),
    .systemLibrary(
        name: "AlmanacCFastCGI", path: "Sources/C/CFastCGI",
        pkgConfig: "fcgi", providers: [.apt(["libfcgi-dev"])]),
    .systemLibrary(
        name: "AlmanacCLibPQ", path: "Sources/C/CLibPQ",
        pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(
        name: "AlmanacCJansson", path: "Sources/C/CJansson",
        pkgConfig: "jansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(
        name: "AlmanacCOpenSSL", path: "Sources/C/COpenSSL",
        pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
        name: "AlmanacCCurl", path: "Sources/C/CCurl",
        pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(
        name: "AlmanacCSQLite", path: "Sources/C/CSQLite",
        pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    // The operating system, and the only code that touches C.
    .target(name: "AlmanacPOSIX", dependencies: ["AlmanacCLinux"], path: "Sources/Platform/POSIX"),
    .target(name: "AlmanacTimestamps", path: "Sources/Platform/Timestamps"),
    .target(name: "AlmanacWebExchange", path: "Sources/Platform/WebExchange"),
    .target(
        name: "AlmanacFastCGI", dependencies: ["AlmanacCFastCGI", "AlmanacCLinux", "AlmanacPOSIX"],
        path: "Sources/Platform/FastCGI"),
    .target(
        name: "AlmanacPostgreSQL", dependencies: ["AlmanacCLibPQ", "AlmanacPOSIX", "AlmanacTimestamps"],
        path: "Sources/Platform/PostgreSQL"),
    .target(name: "AlmanacJSON", dependencies: ["AlmanacCJansson"], path: "Sources/Platform/JSON"),
    .target(name: "AlmanacCryptography", dependencies: ["AlmanacCOpenSSL"], path: "Sources/Platform/Cryptography"),
    .target(
        name: "AlmanacHTTPSClient",
        dependencies: [
            "AlmanacCCurl", "AlmanacCOpenSSL", "AlmanacPOSIX", "AlmanacWebExchange",
        ],
        path: "Sources/Platform/HTTPSClient"),
    .target(
        name: "AlmanacURLSessionCarrier", dependencies: ["AlmanacWebExchange"],
        path: "Sources/Platform/URLSessionCarrier"),

    // Pure values without any I/O, libraries for other apps too.
    .target(name: "AlmanacRevisions", path: "Sources/Core/Revisions"),
    .target(name: "TextMerge", path: "Sources/Core/TextMerge"),

    // The server: one module for each subject.
    .target(name: "AlmanacMetrics", dependencies: ["AlmanacPOSIX"], path: "Sources/Domains/Metrics"),
    .target(name: "AlmanacHTTP", dependencies: ["AlmanacJSON", "AlmanacTimestamps"], path: "Sources/Domains/HTTP"),
    .target(
        name: "AlmanacEnvironments",
        dependencies: [
            "AlmanacHTTPSClient", "AlmanacJSON", "AlmanacPOSIX", "AlmanacPostgreSQL",
        ],
        path: "Sources/Domains/Environments"),
    .target(
        name: "AlmanacIdentity",
        dependencies: [
            "AlmanacCryptography", "AlmanacHTTP", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Identity"),
    .target(
        name: "AlmanacOpenIDConnect",
        dependencies: [
            "AlmanacCryptography", "AlmanacHTTPSClient", "AlmanacJSON", "AlmanacPOSIX", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/OpenIDConnect"),
    .target(
        name: "AlmanacMigrations", dependencies: ["AlmanacCryptography", "AlmanacPOSIX", "AlmanacPostgreSQL"],
        path: "Sources/Domains/Migrations"),
    .target(
        name: "AlmanacConfigDomain",
        dependencies: [
            "AlmanacEnvironments", "AlmanacHTTP", "AlmanacIdentity", "AlmanacJSON", "AlmanacMetrics", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacRevisions", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Config"),
    .target(
        name: "AlmanacNotesDomain",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacHTTP", "AlmanacJSON", "AlmanacMetrics",
            "AlmanacPostgreSQL", "AlmanacRevisions", "AlmanacTimestamps", "TextMerge",
        ],
        path: "Sources/Domains/Notes"),
    .target(
        name: "AlmanacMaintenance",
        dependencies: [
            "AlmanacEnvironments", "AlmanacHTTPSClient", "AlmanacJSON", "AlmanacMigrations", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Maintenance"),
    .target(
        name: "AlmanacEventsDomain",
        dependencies: [
            "AlmanacEnvironments", "AlmanacFastCGI", "AlmanacHTTP", "AlmanacIdentity", "AlmanacJSON",
            "AlmanacMetrics", "AlmanacNotesDomain", "AlmanacOpenIDConnect", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacRevisions", "AlmanacTimestamps", "TextMerge",
        ],
        path: "Sources/Domains/Events"),
    .target(
        name: "AlmanacServing",
        dependencies: [
            "AlmanacEnvironments", "AlmanacFastCGI", "AlmanacHTTP", "AlmanacIdentity", "AlmanacJSON",
            "AlmanacMetrics", "AlmanacMigrations", "AlmanacNotesDomain", "AlmanacOpenIDConnect", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Serving"),

    // Libraries for apps, and what reaches servers.
    .target(
        name: "AlmanacNotes", dependencies: ["AlmanacCSQLite", "TextMerge"] + transports,
        path: "Sources/Apps/AlmanacNotes"),
    .target(name: "AlmanacConfig", dependencies: ["AlmanacRevisions"] + transports, path: "Sources/Apps/AlmanacConfig"),
    .target(name: "AlmanacSignIn", dependencies: transports, path: "Sources/Apps/AlmanacSignIn"),
    .target(
        name: "AlmanacClient", dependencies: ["AlmanacHTTPSClient", "AlmanacJSON", "AlmanacPOSIX"],
        path: "Sources/Apps/AlmanacClient"),

    // Thin executables.
    .executableTarget(
        name: "AlmanacWorker",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacFastCGI", "AlmanacHTTP", "AlmanacIdentity",
            "AlmanacMetrics", "AlmanacMigrations", "AlmanacNotesDomain", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacServing",
        ],
        path: "Sources/Programs/AlmanacWorker"),
    .executableTarget(
        name: "AlmanacEvents",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacEventsDomain", "AlmanacFastCGI", "AlmanacHTTP",
            "AlmanacIdentity", "AlmanacMetrics", "AlmanacMigrations", "AlmanacNotesDomain", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacServing",
        ],
        path: "Sources/Programs/AlmanacEvents"),
    .executableTarget(
        name: "AlmanacCommand",
        dependencies: [
            "AlmanacClient", "AlmanacConfigDomain", "AlmanacCryptography", "AlmanacEnvironments",
            "AlmanacHTTPSClient", "AlmanacIdentity", "AlmanacJSON", "AlmanacMaintenance", "AlmanacMigrations",
            "AlmanacNotes", "AlmanacOpenIDConnect", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacSignIn",
            "AlmanacTimestamps",
        ],
        path: "Sources/Programs/AlmanacCommand"),

    // Examples of the libraries for apps, in a terminal.
    .target(name: "AlmanacTerminalUI", path: "Sources/Examples/TerminalUI"),
    .executableTarget(
        name: "AlmanacColourDemo", dependencies: ["AlmanacConfig", "AlmanacTerminalUI"],
        path: "Sources/Examples/ColourDemo"),
    .executableTarget(
        name: "AlmanacNotesEditor", dependencies: ["AlmanacNotes", "AlmanacTerminalUI", "TextMerge"],
        path: "Sources/Examples/NotesEditor"),
    .executableTarget(
        name: "AlmanacSignInDemo", dependencies: ["AlmanacSignIn", "AlmanacTerminalUI"],
        path: "Sources/Examples/SignInDemo"),

    // Tests.
    .target(
        name: "AlmanacTestSupport",
        dependencies: [
            "AlmanacCCurl", "AlmanacJSON", "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL", "TextMerge",
        ],
        path: "Tests/Support"),
    .testTarget(name: "ArchitectureTests", path: "Tests/Architecture"),
    .testTarget(
        name: "POSIXTests", dependencies: ["AlmanacPOSIX", "AlmanacTestSupport"],
        path: "Tests/Platform/POSIXTests"),
    .testTarget(name: "RevisionsTests", dependencies: ["AlmanacRevisions"], path: "Tests/Core/RevisionsTests"),
    .testTarget(name: "TimestampsTests", dependencies: ["AlmanacTimestamps"], path: "Tests/Platform/TimestampsTests"),
    .testTarget(
        name: "MetricsTests", dependencies: ["AlmanacJSON", "AlmanacMetrics", "AlmanacPOSIX", "AlmanacTestSupport"],
        path: "Tests/Domains/MetricsTests"),
    .testTarget(
        name: "TextMergeTests", dependencies: ["AlmanacPOSIX", "AlmanacTestSupport", "TextMerge"],
        path: "Tests/Core/TextMergeTests", exclude: ["vectors.json"]),
    .testTarget(
        name: "AlmanacConfigTests",
        dependencies: [
            "AlmanacConfig", "AlmanacPOSIX", "AlmanacRevisions", "AlmanacTestSupport",
        ],
        path: "Tests/Apps/AlmanacConfigTests"),
    .executableTarget(
        name: "almanac-sign-in-refresher", dependencies: ["AlmanacHTTPSClient", "AlmanacPOSIX", "AlmanacSignIn"],
        path: "Tests/Apps/AlmanacSignInTests/refresher"),
    .testTarget(
        name: "AlmanacSignInTests",
        dependencies: [
            "AlmanacCryptography", "AlmanacPOSIX", "AlmanacSignIn", "AlmanacTestSupport",
            "almanac-sign-in-refresher",
        ],
        path: "Tests/Apps/AlmanacSignInTests", exclude: ["refresher"]),
    .testTarget(
        name: "FastCGITests", dependencies: ["AlmanacFastCGI", "AlmanacPOSIX", "AlmanacTestSupport"],
        path: "Tests/Platform/FastCGITests"),
    .testTarget(
        name: "PostgreSQLTests",
        dependencies: [
            "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport", "AlmanacTimestamps",
        ],
        path: "Tests/Platform/PostgreSQLTests"),
    .testTarget(name: "JSONTests", dependencies: ["AlmanacJSON"], path: "Tests/Platform/JSONTests"),
    .testTarget(
        name: "CryptographyTests", dependencies: ["AlmanacCryptography", "AlmanacTestSupport"],
        path: "Tests/Platform/CryptographyTests"),
    .testTarget(
        name: "HTTPSClientTests", dependencies: ["AlmanacHTTPSClient", "AlmanacPOSIX", "AlmanacTestSupport"],
        path: "Tests/Platform/HTTPSClientTests"),
    .testTarget(
        name: "WebExchangeTests",
        dependencies: [
            "AlmanacHTTPSClient", "AlmanacPOSIX", "AlmanacTestSupport", "AlmanacURLSessionCarrier",
            "AlmanacWebExchange",
        ],
        path: "Tests/Platform/WebExchangeTests"),
    .testTarget(
        name: "HTTPTests", dependencies: ["AlmanacHTTP", "AlmanacJSON", "AlmanacTimestamps"],
        path: "Tests/Domains/HTTPTests"),
    .testTarget(
        name: "EnvironmentsTests",
        dependencies: [
            "AlmanacEnvironments", "AlmanacHTTPSClient", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport",
        ],
        path: "Tests/Domains/EnvironmentsTests"),
    .testTarget(
        name: "IdentityTests",
        dependencies: [
            "AlmanacHTTP", "AlmanacIdentity", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport",
            "AlmanacTimestamps",
        ],
        path: "Tests/Domains/IdentityTests"),
    .testTarget(
        name: "OpenIDConnectTests",
        dependencies: [
            "AlmanacCryptography", "AlmanacHTTPSClient", "AlmanacJSON", "AlmanacOpenIDConnect", "AlmanacPOSIX",
            "AlmanacTestSupport", "AlmanacTimestamps",
        ],
        path: "Tests/Domains/OpenIDConnectTests", exclude: ["provider"]),
    .testTarget(
        name: "AlmanacClientTests", dependencies: ["AlmanacClient", "AlmanacJSON", "AlmanacTestSupport"],
        path: "Tests/Apps/AlmanacClientTests"),
    .testTarget(
        name: "AlmanacCommandTests", dependencies: ["AlmanacCommand", "AlmanacJSON", "AlmanacTestSupport"],
        path: "Tests/Programs/AlmanacCommandTests"),
    .testTarget(
        name: "MaintenanceTests", dependencies: ["AlmanacMaintenance", "AlmanacTimestamps"],
        path: "Tests/Domains/MaintenanceTests"),
    .testTarget(
        name: "MigrationsTests",
        dependencies: [
            "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport",
        ],
        path: "Tests/Domains/MigrationsTests"),
    .testTarget(
        name: "ConfigTests",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacHTTP", "AlmanacIdentity", "AlmanacJSON",
            "AlmanacMetrics", "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacRevisions",
            "AlmanacTestSupport", "AlmanacTimestamps",
        ],
        path: "Tests/Domains/ConfigTests"),
    .testTarget(
        name: "NotesTests",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacHTTP", "AlmanacJSON", "AlmanacMetrics",
            "AlmanacMigrations", "AlmanacNotesDomain", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacRevisions",
            "AlmanacTestSupport", "AlmanacTimestamps", "TextMerge",
        ],
        path: "Tests/Domains/NotesTests"),
    .executableTarget(
        name: "almanac-notes-typist", dependencies: ["AlmanacNotes"],
        path: "Tests/Apps/AlmanacNotesTests/typist"),
    .executableTarget(
        name: "almanac-notes-device", dependencies: ["AlmanacNotes", "AlmanacTestSupport"],
        path: "Tests/Apps/AlmanacNotesTests/device"),
    .testTarget(
        name: "AlmanacNotesTests",
        dependencies: [
            "AlmanacJSON", "AlmanacNotes", "AlmanacPOSIX", "AlmanacTestSupport", "TextMerge", "almanac-notes-device",
            "almanac-notes-typist",
        ],
        path: "Tests/Apps/AlmanacNotesTests", exclude: ["device", "typist"]),
    .testTarget(
        name: "EventsTests",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacEventsDomain", "AlmanacFastCGI", "AlmanacHTTP",
            "AlmanacIdentity", "AlmanacJSON", "AlmanacMetrics", "AlmanacNotesDomain", "AlmanacOpenIDConnect",
            "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacRevisions", "AlmanacTestSupport", "AlmanacTimestamps",
            "TextMerge",
        ],
        path: "Tests/Domains/EventsTests"),
    .testTarget(name: "TerminalUITests", dependencies: ["AlmanacTerminalUI"], path: "Tests/Examples/TerminalUITests"),
    .testTarget(
        name: "Acceptance",
        dependencies: [
            "AlmanacColourDemo", "AlmanacCommand", "AlmanacConfig", "AlmanacJSON", "AlmanacMigrations",
            "AlmanacNotesEditor", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacSignInDemo", "AlmanacTestSupport",
            "AlmanacTimestamps",
        ],
        path: "Tests/Acceptance"),

    // Measurements.
    .executableTarget(
        name: "almanac-load-merge", dependencies: ["AlmanacPOSIX", "TextMerge"],
        path: "Tests/Load/merge", exclude: ["compare"]),
    .executableTarget(
        name: "almanac-load-notes", dependencies: ["AlmanacNotes"],
        path: "Tests/Load/notessync", exclude: ["run"]),
]

for target in targets where target.type != .system {
    target.swiftSettings = strict
    // It is compiled to WebAssembly too.
    if target.name == "TextMerge" { target.swiftSettings?.append(.treatWarning("EmbeddedRestrictions", as: .error)) }
}

let package = Package(
    name: "almanac",
    // The client libraries' on Apple platforms; the server runs on Linux.
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "TextMerge", targets: ["TextMerge"]),
        .library(name: "AlmanacNotes", type: .static, targets: ["AlmanacNotes"]),
        .library(name: "AlmanacConfig", type: .static, targets: ["AlmanacConfig"]),
        .library(name: "AlmanacSignIn", type: .static, targets: ["AlmanacSignIn"]),
        .executable(name: "almanac-worker", targets: ["AlmanacWorker"]),
        .executable(name: "almanac-events", targets: ["AlmanacEvents"]),
        .executable(name: "almanac", targets: ["AlmanacCommand"]),
    ],
    targets: targets
)
