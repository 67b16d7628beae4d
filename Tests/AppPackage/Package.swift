// swift-tools-version: 6.2
import PackageDescription

// An app of another developer. Its targets have the same names as folders of Almanac, and its types have names that
// Almanac's libraries might use. deploy/test builds and runs the app.
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
