// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// The warnings as errors of `deploy/test`. Builds of programs and of apps with a local copy of the package ignore
/// warnings, because newer compilers add some. (SwiftPM hides warnings of a package with a URL.)
let warnings: [SwiftSetting] =
    Context.environment["ALMANAC_WARNINGS"] == "error" ? [.treatAllWarnings(as: .error)] : []

/// True in `deploy/test`, whose debug build compiles each module in one process. This takes a quarter less time than
/// several processes, and optimizes modules whose tests compute for minutes. Acceptance is left out because it is the
/// largest and last module, for which both processors are free. With such flags in the manifest, no other package could
/// use this one by URL.
let isForTests = Context.environment["ALMANAC_FAST_TESTS"] != nil
let wholeModules = [
    "-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "1",
    // The compiler then skips an internal consistency check.
    "-Xfrontend", "-disable-llvm-verify",
]
let optimizedForTests = ["TextMerge", "AlmanacTargeting", "AlmanacImporting", "AlmanacJSON", "AlmanacTestRandomness"]

/// The transports of the client libraries, and on Linux the log. On Linux, Foundation's own transport is not used,
/// because it ends the process when a connection breaks within the head of a response (Swift 6.3).
let system: [Target.Dependency] = [
    .target(name: "AlmanacHTTPSClient", condition: .when(platforms: [.linux])),
    .target(name: "AlmanacPOSIX", condition: .when(platforms: [.linux])),
    .target(
        name: "AlmanacURLSessionTransport", condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS])),
]

/// The modules in the order of the layers, which are the folders of Sources. A module depends only on modules above it.
/// The architecture tests read these lines.
let targets: [Target] = [
    // C libraries. The compiler finds their headers by itself, and their wrappers link them. pkg-config is not used,
    // because SwiftPM would run it in every app that depends on this package, and warn there of the server's libraries.
    .systemLibrary(name: "AlmanacCLinux", path: "Sources/C/CLinux"),
    .systemLibrary(name: "AlmanacCFastCGI", path: "Sources/C/CFastCGI", providers: [.apt(["libfcgi-dev"])]),
    .systemLibrary(name: "AlmanacCLibPQ", path: "Sources/C/CLibPQ", providers: [.apt(["libpq-dev"])]),
    .systemLibrary(name: "AlmanacCJansson", path: "Sources/C/CJansson", providers: [.apt(["libjansson-dev"])]),
    .systemLibrary(name: "AlmanacCOpenSSL", path: "Sources/C/COpenSSL", providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "AlmanacCCurl", path: "Sources/C/CCurl", providers: [.apt(["libcurl4-openssl-dev"])]),
    .systemLibrary(name: "AlmanacCSQLite", path: "Sources/C/CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "AlmanacCZip", path: "Sources/C/CZip", providers: [.apt(["libzip-dev"])]),
    .systemLibrary(name: "AlmanacCYAML", path: "Sources/C/CYAML", providers: [.apt(["libyaml-dev"])]),
    .systemLibrary(name: "AlmanacCUTF8Proc", path: "Sources/C/CUTF8Proc", providers: [.apt(["libutf8proc-dev"])]),

    // Wrappers of the operating system, the only code that calls C.
    .target(name: "AlmanacPOSIX", dependencies: ["AlmanacCLinux"], path: "Sources/Platform/POSIX"),
    .target(name: "AlmanacTimestamps", path: "Sources/Platform/Timestamps"),
    .target(name: "AlmanacTransport", path: "Sources/Platform/Transport"),
    .target(
        name: "AlmanacResponseStreams", dependencies: ["AlmanacCLinux", "AlmanacPOSIX"],
        path: "Sources/Platform/ResponseStreams"),
    .target(
        name: "AlmanacFastCGI",
        dependencies: ["AlmanacCFastCGI", "AlmanacCLinux", "AlmanacPOSIX", "AlmanacResponseStreams"],
        path: "Sources/Platform/FastCGI", linkerSettings: [.linkedLibrary("fcgi")]),
    .target(
        name: "AlmanacPostgreSQL", dependencies: ["AlmanacCLibPQ", "AlmanacPOSIX", "AlmanacTimestamps"],
        path: "Sources/Platform/PostgreSQL", linkerSettings: [.linkedLibrary("pq")]),
    .target(
        name: "AlmanacJSON", dependencies: ["AlmanacCJansson", "AlmanacPOSIX"], path: "Sources/Platform/JSON",
        linkerSettings: [.linkedLibrary("jansson")]),
    .target(
        name: "AlmanacSQLite", dependencies: ["AlmanacCSQLite"], path: "Sources/Platform/SQLite",
        linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "AlmanacZip", dependencies: ["AlmanacCZip"], path: "Sources/Platform/Zip",
        linkerSettings: [.linkedLibrary("zip")]),
    .target(
        name: "AlmanacYAML", dependencies: ["AlmanacCYAML", "AlmanacJSON"], path: "Sources/Platform/YAML",
        linkerSettings: [.linkedLibrary("yaml")]),
    // Apple's Foundation implements the normalization forms itself.
    .target(
        name: "AlmanacUnicode",
        dependencies: [.target(name: "AlmanacCUTF8Proc", condition: .when(platforms: [.linux]))],
        path: "Sources/Platform/Unicode", linkerSettings: [.linkedLibrary("utf8proc", .when(platforms: [.linux]))]),
    .target(
        name: "AlmanacCryptography", dependencies: ["AlmanacCOpenSSL"], path: "Sources/Platform/Cryptography",
        linkerSettings: [.linkedLibrary("crypto")]),
    .target(
        name: "AlmanacHTTPSClient",
        dependencies: ["AlmanacCCurl", "AlmanacPOSIX", "AlmanacTransport"], path: "Sources/Platform/HTTPSClient",
        linkerSettings: [.linkedLibrary("curl")]),
    .target(
        name: "AlmanacURLSessionTransport", dependencies: ["AlmanacTransport"],
        path: "Sources/Platform/URLSessionTransport"),

    // Pure values without I/O, which other apps can use as libraries too.
    .target(name: "AlmanacForms", path: "Sources/Core/Forms"),
    .target(name: "AlmanacJSONReader", path: "Sources/Core/JSONReader"),
    .target(name: "AlmanacRevisions", path: "Sources/Core/Revisions"),
    .target(name: "AlmanacSearching", path: "Sources/Core/Searching"),
    .target(name: "TextMerge", path: "Sources/Core/TextMerge"),
    .target(name: "AlmanacTargeting", dependencies: ["AlmanacJSONReader"], path: "Sources/Core/Targeting"),
    .target(
        name: "AlmanacImporting", dependencies: ["AlmanacForms", "AlmanacTargeting"], path: "Sources/Core/Importing"),

    // The server, with one module for each subject.
    .target(
        name: "AlmanacWebhooks", dependencies: ["AlmanacCryptography", "AlmanacJSON"],
        path: "Sources/Domains/Webhooks"),
    .target(
        name: "AlmanacProposals", dependencies: ["AlmanacCryptography", "AlmanacForms", "AlmanacJSON"],
        path: "Sources/Domains/Proposals"),
    .target(name: "AlmanacMetrics", dependencies: ["AlmanacPOSIX"], path: "Sources/Domains/Metrics"),
    .target(
        name: "AlmanacHTTP",
        dependencies: ["AlmanacJSON", "AlmanacPOSIX", "AlmanacResponseStreams", "AlmanacTimestamps"],
        path: "Sources/Domains/HTTP"),
    .target(
        name: "AlmanacMigrations", dependencies: ["AlmanacCryptography", "AlmanacPOSIX", "AlmanacPostgreSQL"],
        path: "Sources/Domains/Migrations"),
    .target(
        name: "AlmanacEnvironments",
        dependencies: [
            "AlmanacForms", "AlmanacHTTPSClient", "AlmanacWebhooks", "AlmanacJSON", "AlmanacMigrations", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacProposals", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Environments"),
    .target(
        name: "AlmanacObjectStore",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacHTTPSClient", "AlmanacPOSIX", "AlmanacTimestamps",
            "AlmanacTransport",
        ],
        path: "Sources/Domains/ObjectStore"),
    .target(
        name: "AlmanacOpenIDConnect",
        dependencies: [
            "AlmanacCryptography", "AlmanacForms", "AlmanacHTTPSClient", "AlmanacJSON", "AlmanacPOSIX",
            "AlmanacTimestamps", "AlmanacTransport",
        ],
        path: "Sources/Domains/OpenIDConnect"),
    .target(
        name: "AlmanacWebAuthn", dependencies: ["AlmanacCryptography", "AlmanacJSON"],
        path: "Sources/Domains/WebAuthn"),
    .target(
        name: "AlmanacIdentity",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacForms", "AlmanacHTTP", "AlmanacHTTPSClient",
            "AlmanacJSON", "AlmanacMetrics", "AlmanacOpenIDConnect", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacTimestamps", "AlmanacWebAuthn",
        ],
        path: "Sources/Domains/Identity"),
    .target(
        name: "AlmanacHooks",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacForms", "AlmanacHTTP", "AlmanacHTTPSClient",
            "AlmanacIdentity", "AlmanacJSON", "AlmanacMetrics", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacProposals", "AlmanacTimestamps", "AlmanacTransport", "AlmanacWebhooks",
        ],
        path: "Sources/Domains/Hooks"),
    .target(
        name: "AlmanacConfigDomain",
        dependencies: [
            "AlmanacEnvironments", "AlmanacForms", "AlmanacHTTP", "AlmanacWebhooks", "AlmanacHooks",
            "AlmanacIdentity", "AlmanacImporting", "AlmanacJSON", "AlmanacMetrics", "AlmanacMigrations",
            "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacProposals", "AlmanacRevisions", "AlmanacTargeting",
            "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Config"),
    .target(
        name: "AlmanacFlagsDomain",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacCryptography", "AlmanacEnvironments", "AlmanacHTTP", "AlmanacIdentity",
            "AlmanacJSON", "AlmanacMetrics", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacRevisions",
            "AlmanacTargeting", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Flags"),
    .target(
        name: "AlmanacAttachments",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacObjectStore", "AlmanacPOSIX", "AlmanacPostgreSQL",
        ],
        path: "Sources/Domains/Attachments"),
    .target(
        name: "AlmanacNotesDomain",
        dependencies: [
            "AlmanacAttachments", "AlmanacCryptography", "AlmanacEnvironments", "AlmanacForms", "AlmanacHTTP",
            "AlmanacIdentity", "AlmanacJSON", "AlmanacMetrics", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacRevisions",
            "AlmanacSearching", "AlmanacTimestamps", "TextMerge",
        ],
        path: "Sources/Domains/Notes"),
    .target(
        name: "AlmanacMaintenance",
        dependencies: [
            "AlmanacAttachments", "AlmanacCryptography", "AlmanacEnvironments", "AlmanacHTTPSClient", "AlmanacIdentity",
            "AlmanacJSON", "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTimestamps",
            "AlmanacTransport",
        ],
        path: "Sources/Domains/Maintenance"),
    .target(
        name: "AlmanacEventsDomain",
        dependencies: [
            "AlmanacEnvironments", "AlmanacHTTP", "AlmanacIdentity", "AlmanacJSON", "AlmanacMetrics",
            "AlmanacNotesDomain", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacResponseStreams", "AlmanacRevisions",
            "AlmanacTargeting", "AlmanacTimestamps", "TextMerge",
        ],
        path: "Sources/Domains/Events"),
    .target(
        name: "AlmanacServing",
        dependencies: [
            "AlmanacEnvironments", "AlmanacFastCGI", "AlmanacHTTP", "AlmanacJSON", "AlmanacMetrics",
            "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacResponseStreams", "AlmanacTimestamps",
        ],
        path: "Sources/Domains/Serving"),

    // Libraries for apps, and client transports.
    .target(
        name: "AlmanacClientRuntime",
        dependencies: ["AlmanacJSONReader", "AlmanacRevisions", "AlmanacTimestamps", "AlmanacTransport"] + system,
        path: "Sources/Apps/ClientRuntime"),
    .target(
        name: "AlmanacNotes",
        dependencies: [
            "AlmanacClientRuntime", "AlmanacForms", "AlmanacRevisions", "AlmanacSQLite", "AlmanacSearching",
            "AlmanacTimestamps", "AlmanacUnicode", "TextMerge",
        ],
        path: "Sources/Apps/AlmanacNotes"),
    .target(
        name: "AlmanacConfig", dependencies: ["AlmanacClientRuntime", "AlmanacJSONReader", "AlmanacRevisions"],
        path: "Sources/Apps/AlmanacConfig"),
    .target(
        name: "AlmanacFlags",
        dependencies: [
            "AlmanacClientRuntime", "AlmanacJSONReader", "AlmanacRevisions",
            .product(name: "OpenFeature", package: "swift-sdk", condition: .when(traits: ["OpenFeature"])),
            .product(
                name: "Configuration", package: "swift-configuration",
                condition: .when(traits: ["SwiftConfiguration"])),
        ],
        path: "Sources/Apps/AlmanacFlags"),
    .target(
        name: "AlmanacSignIn", dependencies: ["AlmanacClientRuntime"], path: "Sources/Apps/AlmanacSignIn"),
    .target(
        name: "AlmanacClient",
        dependencies: [
            "AlmanacClientRuntime", "AlmanacHTTPSClient", "AlmanacJSON", "AlmanacPOSIX", "AlmanacTargeting",
            "AlmanacTimestamps",
        ],
        path: "Sources/Apps/AlmanacClient"),

    // Thin executables.
    .executableTarget(
        name: "AlmanacWorker",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacFastCGI", "AlmanacFlagsDomain", "AlmanacHTTP",
            "AlmanacHooks", "AlmanacIdentity", "AlmanacMetrics", "AlmanacMigrations", "AlmanacNotesDomain",
            "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacRevisions", "AlmanacServing",
        ],
        path: "Sources/Programs/AlmanacWorker"),
    .executableTarget(
        name: "AlmanacEvents",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacEventsDomain", "AlmanacFastCGI", "AlmanacHTTP",
            "AlmanacIdentity", "AlmanacMetrics", "AlmanacMigrations", "AlmanacNotesDomain", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacRevisions", "AlmanacServing",
        ],
        path: "Sources/Programs/AlmanacEvents"),
    .executableTarget(
        name: "AlmanacCommand",
        dependencies: [
            "AlmanacAttachments", "AlmanacClient", "AlmanacCryptography", "AlmanacEnvironments", "AlmanacForms",
            "AlmanacHTTPSClient", "AlmanacIdentity", "AlmanacImporting", "AlmanacJSON", "AlmanacMaintenance",
            "AlmanacMigrations", "AlmanacNotes", "AlmanacNotesDomain", "AlmanacOpenIDConnect", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacRevisions", "AlmanacSignIn", "AlmanacTargeting", "AlmanacTimestamps",
            "AlmanacYAML", "AlmanacZip",
        ],
        path: "Sources/Programs/AlmanacCommand"),

    // Terminal examples of the app libraries.
    .target(name: "AlmanacTerminalUI", path: "Sources/Examples/TerminalUI"),
    .executableTarget(
        name: "AlmanacColourDemo", dependencies: ["AlmanacConfig", "AlmanacTerminalUI"],
        path: "Sources/Examples/ColourDemo"),
    .executableTarget(
        name: "AlmanacNotesEditor", dependencies: ["AlmanacNotes", "AlmanacTerminalUI"],
        path: "Sources/Examples/NotesEditor"),
    .executableTarget(
        name: "AlmanacSignInDemo", dependencies: ["AlmanacSignIn", "AlmanacTerminalUI"],
        path: "Sources/Examples/SignInDemo"),
    .executableTarget(
        name: "AlmanacTerminalApp", dependencies: ["AlmanacConfig", "AlmanacNotes", "AlmanacTerminalUI"],
        path: "Sources/Examples/TerminalApp"),

    // Tests.
    .target(
        name: "AlmanacTestRandomness", dependencies: ["AlmanacPOSIX"], path: "Tests/Randomness"),
    .target(
        name: "AlmanacTestSupport",
        dependencies: [
            "AlmanacCCurl", "AlmanacClientRuntime", "AlmanacCryptography", "AlmanacJSON", "AlmanacMigrations",
            "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestRandomness", "TextMerge",
        ],
        path: "Tests/Support"),
    .executableTarget(name: "AlmanacExampleWriter", path: "Tests/Documentation/Writer"),
    .plugin(
        name: "AlmanacExamples", capability: .buildTool(), dependencies: ["AlmanacExampleWriter"],
        path: "Tests/Documentation/Plugin"),
    // Links to the sources of AlmanacExampleWriter, because SwiftPM would link a plugin's tool into the tests twice.
    .testTarget(name: "ArchitectureTests", dependencies: ["AlmanacTestSupport"], path: "Tests/Architecture"),
    .testTarget(
        name: "POSIXTests", dependencies: ["AlmanacPOSIX", "AlmanacTestSupport"],
        path: "Tests/Platform/POSIXTests"),
    .testTarget(
        name: "ClientRuntimeTests", dependencies: ["AlmanacClientRuntime", "AlmanacPOSIX", "AlmanacTestSupport"],
        path: "Tests/Apps/ClientRuntimeTests", plugins: ["AlmanacExamples"]),
    .testTarget(
        name: "FormsTests", dependencies: ["AlmanacForms", "AlmanacJSON", "AlmanacPOSIX", "AlmanacTestSupport"],
        path: "Tests/Core/FormsTests", exclude: ["attachment-references.json", "cases.json"]),
    .testTarget(
        name: "SearchingTests", dependencies: ["AlmanacSearching"], path: "Tests/Core/SearchingTests",
        exclude: ["search-cases.json"]),
    .testTarget(
        name: "UnicodeTests", dependencies: ["AlmanacUnicode"], path: "Tests/Platform/UnicodeTests"),
    .testTarget(name: "RevisionsTests", dependencies: ["AlmanacRevisions"], path: "Tests/Core/RevisionsTests"),
    .testTarget(name: "TimestampsTests", dependencies: ["AlmanacTimestamps"], path: "Tests/Platform/TimestampsTests"),
    .testTarget(
        name: "MetricsTests",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEventsDomain", "AlmanacFlagsDomain", "AlmanacHooks", "AlmanacIdentity",
            "AlmanacJSON", "AlmanacMetrics", "AlmanacNotesDomain", "AlmanacPOSIX", "AlmanacServing",
            "AlmanacTestSupport",
        ],
        path: "Tests/Domains/MetricsTests"),
    .testTarget(
        name: "TextMergeTests", dependencies: ["AlmanacTestSupport", "TextMerge"],
        path: "Tests/Core/TextMergeTests", exclude: ["vectors.json"], plugins: ["AlmanacExamples"]),
    .testTarget(
        name: "TargetingTests", dependencies: ["AlmanacTargeting"],
        path: "Tests/Core/TargetingTests",
        exclude: ["flagd.jsonl", "json-logic.json", "schemes.jsonl"], plugins: ["AlmanacExamples"]),
    .testTarget(
        name: "ImportingTests", dependencies: ["AlmanacImporting", "AlmanacTargeting"],
        path: "Tests/Core/ImportingTests", exclude: ["Recordings"]),
    .executableTarget(
        name: "almanac-settings-tool", dependencies: ["AlmanacConfig"],
        path: "Tests/Apps/AlmanacConfigTests/settings-tool"),
    .testTarget(
        name: "AlmanacConfigTests",
        dependencies: [
            "AlmanacConfig", "AlmanacPOSIX", "AlmanacRevisions", "AlmanacTestSupport", "almanac-settings-tool",
        ],
        path: "Tests/Apps/AlmanacConfigTests", exclude: ["settings-tool"], plugins: ["AlmanacExamples"]),
    .testTarget(
        name: "AlmanacFlagsTests",
        dependencies: ["AlmanacFlags", "AlmanacPOSIX", "AlmanacTestSupport"], path: "Tests/Apps/AlmanacFlagsTests",
        plugins: ["AlmanacExamples"]),
    .executableTarget(
        name: "almanac-sign-in-refresher", dependencies: ["AlmanacSignIn"],
        path: "Tests/Apps/AlmanacSignInTests/refresher"),
    .testTarget(
        name: "AlmanacSignInTests",
        dependencies: [
            "AlmanacClientRuntime", "AlmanacCryptography", "AlmanacPOSIX", "AlmanacSignIn", "AlmanacTestSupport",
            "almanac-sign-in-refresher",
        ],
        path: "Tests/Apps/AlmanacSignInTests", exclude: ["refresher"], plugins: ["AlmanacExamples"]),
    .testTarget(
        name: "FastCGITests",
        dependencies: [
            "AlmanacFastCGI", "AlmanacPOSIX", "AlmanacResponseStreams", "AlmanacTestRandomness", "AlmanacTestSupport",
        ],
        path: "Tests/Platform/FastCGITests"),
    .testTarget(
        name: "PostgreSQLTests",
        dependencies: [
            "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport", "AlmanacTimestamps",
        ],
        path: "Tests/Platform/PostgreSQLTests"),
    .testTarget(
        name: "SQLiteTests", dependencies: ["AlmanacSQLite", "AlmanacTestSupport"], path: "Tests/Platform/SQLiteTests"),
    .testTarget(
        name: "JSONTests", dependencies: ["AlmanacJSON", "AlmanacTestRandomness"], path: "Tests/Platform/JSONTests"),
    .testTarget(name: "YAMLTests", dependencies: ["AlmanacJSON", "AlmanacYAML"], path: "Tests/Platform/YAMLTests"),
    .testTarget(
        name: "CryptographyTests", dependencies: ["AlmanacCryptography", "AlmanacTestSupport"],
        path: "Tests/Platform/CryptographyTests"),
    .testTarget(
        name: "HTTPSClientTests",
        dependencies: ["AlmanacHTTPSClient", "AlmanacPOSIX", "AlmanacTestSupport", "AlmanacTransport"],
        path: "Tests/Platform/HTTPSClientTests"),
    .testTarget(
        name: "TransportTests",
        dependencies: [
            "AlmanacHTTPSClient", "AlmanacPOSIX", "AlmanacTestSupport", "AlmanacURLSessionTransport",
            "AlmanacTransport",
        ],
        path: "Tests/Platform/TransportTests"),
    .testTarget(
        name: "HTTPTests", dependencies: ["AlmanacHTTP", "AlmanacJSON", "AlmanacTimestamps"],
        path: "Tests/Domains/HTTPTests"),
    .testTarget(
        name: "EnvironmentsTests",
        dependencies: [
            "AlmanacEnvironments", "AlmanacHTTPSClient", "AlmanacWebhooks", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacProposals",
            "AlmanacTestSupport",
        ],
        path: "Tests/Domains/EnvironmentsTests"),
    .testTarget(
        name: "WebAuthnTests", dependencies: ["AlmanacCryptography", "AlmanacTestSupport", "AlmanacWebAuthn"],
        path: "Tests/Domains/WebAuthnTests"),
    .testTarget(
        name: "IdentityTests",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacForms", "AlmanacHTTP", "AlmanacHTTPSClient",
            "AlmanacIdentity", "AlmanacJSON", "AlmanacMetrics", "AlmanacMigrations", "AlmanacOpenIDConnect",
            "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport", "AlmanacTimestamps",
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
        name: "ObjectStoreTests",
        dependencies: [
            "AlmanacCryptography", "AlmanacEnvironments", "AlmanacHTTPSClient", "AlmanacObjectStore",
            "AlmanacTestSupport", "AlmanacTimestamps",
        ],
        path: "Tests/Domains/ObjectStoreTests", exclude: ["servers"]),
    .testTarget(
        name: "AlmanacClientTests",
        dependencies: [
            "AlmanacClient", "AlmanacClientRuntime", "AlmanacJSON", "AlmanacPOSIX", "AlmanacTargeting",
            "AlmanacTestSupport", "AlmanacTimestamps",
        ],
        path: "Tests/Apps/AlmanacClientTests"),
    .testTarget(
        name: "AlmanacCommandTests",
        dependencies: [
            "AlmanacClient", "AlmanacCommand", "AlmanacJSON", "AlmanacNotes", "AlmanacPOSIX", "AlmanacTestSupport",
            "AlmanacTimestamps", "AlmanacZip",
        ],
        path: "Tests/Programs/AlmanacCommandTests"),
    .testTarget(
        name: "ServingTests",
        dependencies: [
            "AlmanacEnvironments", "AlmanacHTTP", "AlmanacMetrics", "AlmanacMigrations", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacServing", "AlmanacTestRandomness", "AlmanacTestSupport",
        ],
        path: "Tests/Domains/ServingTests"),
    .testTarget(
        name: "MaintenanceTests",
        dependencies: [
            "AlmanacAttachments", "AlmanacCryptography", "AlmanacEnvironments", "AlmanacIdentity", "AlmanacJSON",
            "AlmanacMaintenance", "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport",
            "AlmanacTimestamps",
        ],
        path: "Tests/Domains/MaintenanceTests"),
    .testTarget(
        name: "MigrationsTests",
        dependencies: [
            "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacTestSupport",
        ],
        path: "Tests/Domains/MigrationsTests"),
    .testTarget(
        name: "ProposalsTests", dependencies: ["AlmanacForms", "AlmanacJSON", "AlmanacProposals"],
        path: "Tests/Domains/ProposalsTests"),
    .testTarget(
        name: "WebhooksTests", dependencies: ["AlmanacWebhooks", "AlmanacJSON"], path: "Tests/Domains/WebhooksTests"),
    .executableTarget(
        name: "almanac-worker-task",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacHTTP", "AlmanacHooks", "AlmanacIdentity",
            "AlmanacPOSIX", "AlmanacPostgreSQL",
        ],
        path: "Tests/Domains/worker-task"),
    .testTarget(
        name: "HooksTests",
        dependencies: [
            "AlmanacEnvironments", "AlmanacHTTP", "AlmanacHooks", "AlmanacIdentity", "AlmanacJSON", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacProposals", "AlmanacTestSupport", "AlmanacWebhooks", "almanac-worker-task",
        ],
        path: "Tests/Domains/HooksTests"),
    .testTarget(
        name: "ConfigTests",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacForms", "AlmanacHTTP", "AlmanacIdentity",
            "AlmanacJSON", "AlmanacMetrics", "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacProposals", "AlmanacRevisions", "AlmanacTargeting", "AlmanacTestRandomness", "AlmanacTestSupport",
            "AlmanacTimestamps", "almanac-worker-task",
        ],
        path: "Tests/Domains/ConfigTests"),
    .testTarget(
        name: "FlagsTests",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacFlagsDomain", "AlmanacHTTP", "AlmanacIdentity",
            "AlmanacJSON", "AlmanacMetrics", "AlmanacMigrations", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacRevisions", "AlmanacTargeting", "AlmanacTestSupport", "AlmanacTimestamps",
        ],
        path: "Tests/Domains/FlagsTests"),
    .testTarget(
        name: "AttachmentsTests",
        dependencies: [
            "AlmanacAttachments", "AlmanacCryptography", "AlmanacEnvironments", "AlmanacHTTPSClient", "AlmanacPOSIX",
            "AlmanacPostgreSQL", "AlmanacTestSupport",
        ],
        path: "Tests/Domains/AttachmentsTests"),
    .testTarget(
        name: "NotesTests",
        dependencies: [
            "AlmanacAttachments", "AlmanacCryptography", "AlmanacEnvironments", "AlmanacForms", "AlmanacHTTP",
            "AlmanacHTTPSClient", "AlmanacIdentity", "AlmanacJSON", "AlmanacMetrics", "AlmanacMigrations",
            "AlmanacNotesDomain", "AlmanacPOSIX", "AlmanacPostgreSQL", "AlmanacRevisions", "AlmanacTestRandomness",
            "AlmanacTestSupport", "AlmanacTimestamps", "TextMerge",
        ],
        path: "Tests/Domains/NotesTests"),
    .executableTarget(
        name: "almanac-note-writer", dependencies: ["AlmanacNotes"],
        path: "Tests/Apps/AlmanacNotesTests/note-writer"),
    .executableTarget(
        name: "almanac-notes-device", dependencies: ["AlmanacNotes", "AlmanacTestSupport"],
        path: "Tests/Apps/AlmanacNotesTests/device"),
    .testTarget(
        name: "AlmanacNotesTests",
        dependencies: [
            "AlmanacJSON", "AlmanacNotes", "AlmanacPOSIX", "AlmanacRevisions", "AlmanacSQLite", "AlmanacTestSupport",
            "TextMerge", "almanac-notes-device", "almanac-note-writer",
        ],
        path: "Tests/Apps/AlmanacNotesTests", exclude: ["device", "note-writer", "record-vectors.json"],
        plugins: ["AlmanacExamples"]),
    .testTarget(
        name: "EventsTests",
        dependencies: [
            "AlmanacConfigDomain", "AlmanacEnvironments", "AlmanacEventsDomain", "AlmanacHTTP", "AlmanacIdentity",
            "AlmanacJSON", "AlmanacMetrics", "AlmanacNotesDomain", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacResponseStreams", "AlmanacRevisions", "AlmanacTargeting", "AlmanacTestRandomness",
            "AlmanacTestSupport",
            "AlmanacTimestamps", "TextMerge",
        ],
        path: "Tests/Domains/EventsTests"),
    .testTarget(name: "TerminalUITests", dependencies: ["AlmanacTerminalUI"], path: "Tests/Examples/TerminalUITests"),
    .testTarget(
        name: "Acceptance",
        dependencies: [
            "AlmanacColourDemo", "AlmanacCommand", "AlmanacConfig", "AlmanacCryptography", "AlmanacFlags",
            "AlmanacJSON", "AlmanacMigrations", "AlmanacNotesEditor", "AlmanacPOSIX", "AlmanacPostgreSQL",
            "AlmanacSignInDemo", "AlmanacTerminalApp", "AlmanacTestRandomness", "AlmanacTestSupport",
            "AlmanacTimestamps", "almanac-failover-clients",
        ],
        path: "Tests/Acceptance"),

    // Benchmarks.
    .executableTarget(
        name: "almanac-load-merge", dependencies: ["AlmanacPOSIX", "AlmanacTestRandomness", "TextMerge"],
        path: "Tests/Load/merge", exclude: ["compare"]),
    .executableTarget(
        name: "almanac-load-flags", dependencies: ["AlmanacPOSIX", "AlmanacTargeting"],
        path: "Tests/Load/flags", exclude: ["allocations.c", "run"]),
    .executableTarget(
        name: "almanac-load-rules", dependencies: ["AlmanacPOSIX", "AlmanacTargeting", "AlmanacTestRandomness"],
        path: "Tests/Load/rules", exclude: ["run"]),

    // Clients of the failover tests in Tests/Failover.
    .executableTarget(
        name: "almanac-failover-clients", dependencies: ["AlmanacClientRuntime", "AlmanacConfig", "AlmanacNotes"],
        path: "Tests/Failover/clients"),
]

for target in targets where target.type != .system && target.type != .plugin {
    target.swiftSettings = strict + warnings
    if isForTests, target.name != "Acceptance" {
        let optimized = optimizedForTests.contains(target.name) ? ["-O", "-assert-config", "Debug"] : []
        target.swiftSettings?.append(.unsafeFlags(wholeModules + optimized, .when(configuration: .debug)))
    }
    // These modules are also compiled to WebAssembly by Embedded Swift (Sources/Web/wasm).
    if ["TextMerge", "AlmanacTargeting"].contains(target.name), !warnings.isEmpty {
        target.swiftSettings?.append(.treatWarning("EmbeddedRestrictions", as: .error))
    }
}

// The privacy manifests of the libraries for apps. Only builds on a Mac contain them, because SwiftPM adds code with
// Foundation's Bundle to a target with resources.
for target in targets where ["AlmanacClientRuntime", "AlmanacConfig"].contains(target.name) {
    #if os(macOS)
        target.resources = [.copy("PrivacyInfo.xcprivacy")]
    #else
        target.exclude.append("PrivacyInfo.xcprivacy")
    #endif
}

let package = Package(
    name: "almanac",
    // Requirements of the libraries; the server runs on Linux. The minimum versions are the first with Mutex (SE-0433)
    // and with an AsyncSequence that has typed failures and runs on its caller's actor (SE-0421).
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "TextMerge", targets: ["TextMerge"]),
        .library(name: "AlmanacTargeting", targets: ["AlmanacTargeting"]),
        .library(name: "AlmanacNotes", type: .static, targets: ["AlmanacNotes"]),
        .library(name: "AlmanacConfig", type: .static, targets: ["AlmanacConfig"]),
        .library(name: "AlmanacFlags", type: .static, targets: ["AlmanacFlags"]),
        .library(name: "AlmanacSignIn", type: .static, targets: ["AlmanacSignIn"]),
        .executable(name: "almanac-worker", targets: ["AlmanacWorker"]),
        .executable(name: "almanac-events", targets: ["AlmanacEvents"]),
        .executable(name: "almanac", targets: ["AlmanacCommand"]),
    ],
    // Adapters of AlmanacFlags for other packages, which are fetched only if a trait is enabled.
    traits: [
        .trait(name: "OpenFeature", description: "AlmanacFlags is a provider of OpenFeature's SDK for Swift"),
        .trait(name: "SwiftConfiguration", description: "AlmanacFlags is a provider of swift-configuration"),
    ],
    dependencies: [
        .package(url: "https://github.com/open-feature/swift-sdk.git", exact: "0.5.0"),
        .package(url: "https://github.com/apple/swift-configuration.git", from: "1.2.0"),
    ],
    targets: targets
)

// In `deploy/run`, the package has only the programs, so that one build without `--product` makes all of them.
if Context.environment["ALMANAC_PROGRAMS_ONLY"] != nil {
    func closure(of names: [String]) -> Set<String> {
        var pending = names
        var found = Set(names)
        while let name = pending.popLast() {
            for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
                switch dependency {
                case .targetItem(let name, _), .byNameItem(let name, _):
                    if found.insert(name).inserted { pending.append(name) }
                default: break
                }
            }
        }
        return found
    }
    let programs = package.products.compactMap { $0 as? Product.Executable }
    let needed = closure(of: programs.flatMap(\.targets))
    package.products = programs
    package.dependencies = []
    package.targets.removeAll { !needed.contains($0.name) }

    // Code that only the command line uses mostly waits for files and servers. Its optimization would take most of the
    // time at the end of the build. AlmanacNotes is optimized, because it merges and searches texts, and
    // AlmanacClientRuntime, because it hashes files.
    let optimized = closure(of: ["AlmanacWorker", "AlmanacEvents"]).union([
        "AlmanacClientRuntime", "AlmanacNotes", "AlmanacSQLite",
    ])
    for target in package.targets where !optimized.contains(target.name) {
        target.swiftSettings?.append(.unsafeFlags(["-Onone"]))
    }
}
