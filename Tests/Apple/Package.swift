// swift-tools-version: 6.2
import PackageDescription

// The libraries for apps as Apple's platforms build them: what is behind `#if canImport` is compiled whole, and run,
// with small stand-ins for Apple's modules. deploy/test builds and tests it:
//
//     swift test --package-path Tests/Apple
//
// So are OpenFeature's SDK, which needs Combine, and swift-configuration, whose packages can't be fetched everywhere.
// A stand-in has what the libraries and apps of the tests use, declared as Apple declares it.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Each module is compiled by one process, which takes less time than one for each few files.
let wholeModules: [SwiftSetting] = [
    .unsafeFlags(["-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "1"])
]

/// In the older language mode: Apple's are not strict about concurrency, so the compiler trusts them less, and checks
/// while the program runs.
let standIns: [Target] =
    [
        "AppKit", "AuthenticationServices", "BackgroundTasks", "Combine", "OpenFeature", "Security", "SwiftUI", "UIKit",
        "WidgetKit",
    ].map {
        .target(
            name: $0, dependencies: ["OpenFeature", "SwiftUI"].contains($0) ? ["Combine"] : [], path: "StandIns/\($0)",
            swiftSettings: [.swiftLanguageMode(.v5), .enableUpcomingFeature("InternalImportsByDefault")])
    } + [
        // As strict as swift-configuration itself.
        .target(
            name: "Configuration", path: "StandIns/Configuration",
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ]

/// The targets of the libraries, with what they depend on where there are Apple's modules.
let libraries: [Target] = [
    .systemLibrary(name: "AlmanacCLinux", path: "Almanac/C/CLinux"),
    .systemLibrary(name: "AlmanacCSQLite", path: "Almanac/C/CSQLite"),
    .target(name: "AlmanacPOSIX", dependencies: ["AlmanacCLinux"], path: "Almanac/Platform/POSIX"),
    .target(name: "AlmanacTimestamps", path: "Almanac/Platform/Timestamps"),
    .target(name: "AlmanacTransport", path: "Almanac/Platform/Transport"),
    .target(
        name: "AlmanacSQLite", dependencies: ["AlmanacCSQLite"], path: "Almanac/Platform/SQLite",
        linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
        name: "AlmanacURLSessionTransport", dependencies: ["AlmanacTransport"],
        path: "Almanac/Platform/URLSessionTransport"),
    .target(name: "AlmanacUnicode", path: "Almanac/Platform/Unicode"),
    .target(name: "AlmanacRevisions", path: "Almanac/Core/Revisions"),
    .target(name: "AlmanacForms", path: "Almanac/Core/Forms"),
    .target(name: "AlmanacJSONReader", path: "Almanac/Core/JSONReader"),
    .target(name: "AlmanacSearching", path: "Almanac/Core/Searching"),
    .target(name: "TextMerge", path: "Almanac/Core/TextMerge"),
    .target(
        name: "AlmanacClientRuntime",
        dependencies: [
            "AlmanacJSONReader", "AlmanacRevisions", "AlmanacTimestamps", "AlmanacTransport",
            "AlmanacURLSessionTransport",
        ],
        path: "Almanac/Apps/ClientRuntime"),
    .target(
        name: "AlmanacNotes",
        dependencies: [
            "AlmanacClientRuntime", "AlmanacForms", "AlmanacRevisions", "AlmanacSQLite", "AlmanacSearching",
            "AlmanacUnicode", "TextMerge",
        ],
        path: "Almanac/Apps/AlmanacNotes"),
    .target(
        name: "AlmanacConfig", dependencies: ["AlmanacClientRuntime", "AlmanacJSONReader", "AlmanacRevisions"],
        path: "Almanac/Apps/AlmanacConfig"),
    .target(
        name: "AlmanacFlags", dependencies: ["AlmanacClientRuntime", "AlmanacJSONReader", "AlmanacRevisions"],
        path: "Almanac/Apps/AlmanacFlags"),
    .target(name: "AlmanacSignIn", dependencies: ["AlmanacClientRuntime"], path: "Almanac/Apps/AlmanacSignIn"),
]

let tests: [Target] = [
    .target(name: "AlmanacTestSupport", dependencies: ["AlmanacClientRuntime", "AlmanacPOSIX"], path: "Support"),
    .testTarget(
        name: "AppleTests",
        dependencies: [
            "AlmanacClientRuntime", "AlmanacConfig", "AlmanacFlags", "AlmanacNotes", "AlmanacSignIn",
            "AlmanacTestSupport", "MainActorApp",
        ],
        path: "Tests"),
    .testTarget(
        name: "ConfigExamples", dependencies: ["AlmanacConfig", "AlmanacTestSupport"], path: "Examples/Config"),
    .testTarget(
        name: "ArticleExamples", dependencies: ["AlmanacConfig", "AlmanacNotes", "AlmanacSignIn"],
        path: "Examples/Articles"),
    .testTarget(name: "FlagsExamples", dependencies: ["AlmanacFlags"], path: "Examples/Flags"),
    .testTarget(name: "NotesExamples", dependencies: ["AlmanacNotes", "AlmanacSignIn"], path: "Examples/Notes"),
    .testTarget(name: "SignInExamples", dependencies: ["AlmanacSignIn"], path: "Examples/SignIn"),
    // An app whose code is the main actor's where it doesn't say otherwise, as Xcode sets new ones up.
    .target(
        name: "MainActorApp", dependencies: ["AlmanacConfig", "AlmanacNotes", "AlmanacSignIn"],
        path: "Apps/MainActorApp"),
]

for target in libraries + tests where target.type != .system {
    target.dependencies += standIns.map { .target(name: $0.name) }
    target.swiftSettings = strict
    // What the package's traits of these names define.
    if target.name == "AlmanacFlags" {
        target.swiftSettings? += [.define("OpenFeature"), .define("SwiftConfiguration")]
    }
    if target.path?.hasPrefix("Apps/") == true { target.swiftSettings?.append(.defaultIsolation(MainActor.self)) }
    // Swift Testing looks for more of itself where there is an AppKit or UIKit.
    if target.isTest { target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])) }
}

for target in standIns + libraries + tests where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + wholeModules
}

let package = Package(
    name: "apple",
    targets: standIns + libraries + tests
)
