import AlmanacPOSIX
import AlmanacTestSupport
import Testing

/// A clone of the repository, as a newcomer makes it, with an instance of its own under the default names.
///
/// The clone contains the tree that `deploy/test` has built: the last commit plus uncommitted changes. To save
/// minutes of `swift build`, the clone gets the checkout's programs, built from the same sources, and the built pages
/// with their dependencies. Each run of `deploy/test` in a clean clone proves that all of these can be built there.
final class CleanClone: Sendable {
    private let folder: String
    private let port = Int.random(in: 20_000..<30_000)

    init(_ instance: Instance) throws {
        let commit = try #require(Self.commit, "run deploy/test")
        folder = try Self.output("mktemp", "-d", "/tmp/almanac-newcomer-XXXXXX")
        // PostgreSQL runs as another user and must be able to enter the folder.
        _ = try Self.output("chmod", "755", folder)
        _ = try Self.output("mkdir", "\(folder)/home", "\(folder)/bin")
        // git refuses a repository of another user unless the folder is marked safe.
        try File.replace(
            "\(folder)/home/.gitconfig", contents: Array("[safe]\ndirectory = *\n".utf8), permissions: 0o600)
        try File.replace("\(folder)/bin/swift", contents: Self.compiler(instance.checkout), permissions: 0o755)
        let clone = try run(
            """
            git clone --quiet --no-checkout '\(instance.checkout)' '\(folder)/almanac'
            git -C '\(folder)/almanac' fetch --quiet origin \(commit)
            git -C '\(folder)/almanac' checkout --quiet --detach FETCH_HEAD
            mkdir -p '\(folder)/almanac/.build/wasm'
            cp -r '\(instance.checkout)/.build/'{codemirror-*,pages} '\(folder)/almanac/.build'
            cp '\(instance.checkout)/.build/release/textmerge.wasm'{,.version} '\(folder)/almanac/.build/wasm'
            """, in: folder)
        try #require(clone.status == 0, "\(clone.errors)")
    }

    deinit {
        _ = try? run("deploy/run --stop", in: "\(folder)/almanac")
        _ = try? Command.run("rm", ["-rf", "--", folder])
    }

    /// The commit that `deploy/test` has built, or nil without a repository.
    static var commit: String? { Process.variable("ALMANAC_TEST_COMMIT").flatMap { $0.isEmpty ? nil : $0 } }

    func page(_ path: String) throws -> String {
        try String(decoding: File.read("\(folder)/almanac/\(path)"), as: UTF8.self)
    }

    /// Runs lines in a shell in the clone, as a user who pastes them. Stops at the first failure.
    func paste(_ lines: String) throws -> Command.Outcome { try run(lines, in: "\(folder)/almanac") }

    private func run(_ lines: String, in folder: String) throws -> Command.Outcome {
        // Another instance may use the default port.
        let lines = "cd '\(folder)'\n" + lines.replacing("https://localhost:8443", with: "https://localhost:\(port)")
        return try Command.run(
            "env",
            [
                "-i", "HOME=\(self.folder)/home",
                "PATH=\(self.folder)/bin:\(Process.variable("PATH") ?? "/usr/bin:/bin")",
                "LANG=C.UTF-8", "ALMANAC_PORT=\(port)", "bash", "-euo", "pipefail", "-c", lines,
            ], within: .seconds(120))
    }

    /// Returns a script that replaces `swift`: it copies the built programs, and passes other commands to the compiler.
    private static func compiler(_ checkout: String) throws -> [UInt8] {
        let real = try output("bash", "-c", "command -v swift")
        return Array(
            """
            #!/bin/bash
            set -euo pipefail
            [[ $1 == build ]] || exec '\(real)' "$@"
            [[ $2 == --package-path && ${ALMANAC_PROGRAMS_ONLY:-} == yes ]]
            install -D -t "$3/.build/release" -- '\(checkout)/.build/release/almanac'{,-worker,-events}

            """.utf8)
    }

    private static func output(_ words: String...) throws -> String {
        let outcome = try Command.run(words[0], Array(words.dropFirst()))
        try #require(outcome.succeeded, "\(outcome.errors)")
        return String(outcome.output.prefix { !$0.isNewline })
    }
}
