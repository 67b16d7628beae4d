// swift-tools-version: 6.2
import PackageDescription

// An app as somebody else would write it, with the names that apps use themselves: its targets are called as folders of
// Almanac are, and its types as types that Almanac's libraries might have. deploy/test builds and runs it.
let package = Package(
    name: "app",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "almanac", path: "../..")],
    targets: [
        .target(name: "Notes"),
        .target(name: "Config"),
        .target(name: "JSON"),
        .target(name: "HTTP"),
        .target(name: "Metrics"),
        .executableTarget(
            name: "App",
            dependencies: [
                "Notes", "Config", "JSON", "HTTP", "Metrics",
                .product(name: "AlmanacConfig", package: "almanac"),
                .product(name: "AlmanacFlags", package: "almanac"),
                .product(name: "AlmanacNotes", package: "almanac"),
                .product(name: "AlmanacSignIn", package: "almanac"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
