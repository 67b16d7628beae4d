// swift-tools-version: 6.2
import PackageDescription

// The app libraries as Apple's platforms build them. Small stand-ins for Apple's modules make the code behind `#if
// canImport` compile and run. deploy/test builds and tests this package:
//
//     swift test --package-path Tests/Apple
//
// OpenFeature's SDK, which needs Combine, and swift-configuration have stand-ins as well, because their packages
// can't be fetched everywhere. A stand-in declares only the API that the libraries and the test apps use, as the
// original declares it.

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Compile each module in a single process, which is faster than a process per batch of files.
let wholeModules: [SwiftSetting] = [
    .unsafeFlags(["-whole-module-optimization", "-no-emit-module-separately-wmo", "-num-threads", "1"])
]

/// The targets of the stand-ins, in Swift 5 mode. Apple's modules are not strict about concurrency either, so the
/// compiler adds checks at run time.
let standIns: [Target] =
    [
        "AppKit", "AuthenticationServices", "BackgroundTasks", "Combine", "OpenFeature", "Security", "SwiftUI", "UIKit",
        "WidgetKit", "os",
    ].map {
        .target(
            name: $0, dependencies: ["OpenFeature", "SwiftUI"].contains($0) ? ["Combine"] : [], path: "StandIns/\($0)",
            swiftSettings: [.swiftLanguageMode(.v5), .enableUpcomingFeature("InternalImportsByDefault")])
    } + [
        // The stand-in is as strict as swift-configuration.
        .target(
            name: "Configuration", path: "StandIns/Configuration",
            swiftSettings: [
                .swiftLanguageMode(.v6), .enableUpcomingFeature("InternalImportsByDefault"),
                .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            ])
    ]

/// The targets of the libraries, with their dependencies on Apple's platforms.
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
        path: "Almanac/Apps/ClientRuntime", exclude: ["PrivacyInfo.xcprivacy"]),
    .target(
        name: "AlmanacNotes",
        dependencies: [
            "AlmanacClientRuntime", "AlmanacForms", "AlmanacRevisions", "AlmanacSQLite", "AlmanacSearching",
            "AlmanacUnicode", "TextMerge",
        ],
        path: "Almanac/Apps/AlmanacNotes"),
    .target(
        name: "AlmanacConfig", dependencies: ["AlmanacClientRuntime", "AlmanacJSONReader", "AlmanacRevisions"],
        path: "Almanac/Apps/AlmanacConfig", exclude: ["PrivacyInfo.xcprivacy"]),
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
        name: "Examples",
        dependencies: ["AlmanacConfig", "AlmanacFlags", "AlmanacNotes", "AlmanacSignIn", "AlmanacTestSupport"],
        path: "Examples", plugins: ["AlmanacExamples"]),
    // An app whose code defaults to the main actor, as in new Xcode projects.
    .target(
        name: "MainActorApp", dependencies: ["AlmanacConfig", "AlmanacNotes", "AlmanacSignIn"],
        path: "Apps/MainActorApp", plugins: ["AlmanacExamples"]),
]

/// The program and the plugin that write files of examples.
let documentation: [Target] = [
    .executableTarget(name: "AlmanacExampleWriter", path: "Documentation/Writer"),
    .plugin(
        name: "AlmanacExamples", capability: .buildTool(), dependencies: ["AlmanacExampleWriter"],
        path: "Documentation/Plugin"),
]

for target in libraries + tests where target.type != .system {
    target.dependencies += standIns.map { .target(name: $0.name) }
    target.swiftSettings = strict
    // These conditions replace the package's traits of the same names.
    if target.name == "AlmanacFlags" {
        target.swiftSettings? += [.define("OpenFeature"), .define("SwiftConfiguration")]
    }
    if target.path?.hasPrefix("Apps/") == true { target.swiftSettings?.append(.defaultIsolation(MainActor.self)) }
    // Swift Testing would look for its own overlay modules for AppKit and UIKit.
    if target.isTest { target.swiftSettings?.append(.unsafeFlags(["-Xfrontend", "-disable-cross-import-overlays"])) }
}

for target in standIns + libraries + tests where target.type != .system {
    target.swiftSettings = (target.swiftSettings ?? []) + wholeModules
}

let package = Package(name: "apple", targets: standIns + libraries + tests + documentation)
