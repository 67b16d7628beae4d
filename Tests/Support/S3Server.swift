internal import AlmanacPOSIX
public import Testing

/// An S3 server on this machine with one bucket, which is empty at first. It ends with the last reference.
public final class S3Server: Sendable {
    /// The programs. Only rclone checks signatures; only moto answers ranges and errors as Amazon does.
    public enum Program: String, Sendable, CaseIterable {
        case rclone, moto
    }

    public static let bucket = "almanac-test"
    public static let keyID = "almanac"
    public static let secret = "not-a-secret"

    /// Scheme, host and port.
    public let endpoint: String
    private let folder: TemporaryFolder
    private let command: BackgroundCommand

    public init(_ program: Program) throws {
        let installed = try Command.run(
            Checkout.path("Tests/Domains/ObjectStoreTests/servers/install.sh"), within: .seconds(300))
        guard installed.succeeded else { throw CommandFailure(description: installed.errors) }
        let programs = installed.output.prefix { !$0.isNewline } + "/bin"
        folder = try TemporaryFolder()
        // rclone serves the folders of a folder as buckets.
        try File.makePrivateFolder("\(folder.path)/\(Self.bucket)")
        command =
            switch program {
            case .rclone:
                try BackgroundCommand(
                    "\(programs)/rclone",
                    [
                        "serve", "s3", "--config", "/dev/null", "--addr", "127.0.0.1:0", "--auth-key",
                        "\(Self.keyID),\(Self.secret)", folder.path,
                    ])
            case .moto:
                try BackgroundCommand(
                    "\(programs)/python", ["-m", "moto.server", "-H", "127.0.0.1", "-p", "0"],
                    environment: ["PYTHONPYCACHEPREFIX": Checkout.path(".build/pycache")])
            }
        var address: Substring?
        let command = command
        _ = eventually(within: .seconds(30)) {
            let log = String(decoding: command.errorBytes + command.outputBytes, as: UTF8.self)
            address = log.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+/)?.output
            return address != nil
        }
        guard let address else {
            throw CommandFailure(
                description: "\(program) does not run: \(String(decoding: command.errorBytes, as: UTF8.self))")
        }
        endpoint = String(address)
        if program == .moto { _ = try HTTPClient(base: endpoint, caFile: nil).send("PUT", "/\(Self.bucket)") }
    }
}

/// The S3 servers of a suite, each started for the first test that uses it.
public final class S3Servers: Sendable {
    @TaskLocal static var current: S3Servers?
    private let running = Monitor<[S3Server.Program: S3Server]>([:])

    /// Returns the suite's server. The suite must have the trait `.s3Servers`.
    public static func endpoint(of program: S3Server.Program) throws -> String {
        guard let current else { throw CommandFailure(description: "the suite lacks the trait .s3Servers") }
        return try current.running.update { running in
            let server = try running[program] ?? S3Server(program)
            running[program] = server
            return server.endpoint
        }
    }
}

/// A trait of a suite whose tests share S3 servers.
public struct S3ServersTrait: SuiteTrait, TestScoping {
    public func provideScope(
        for test: Test, testCase: Test.Case?,
        performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await S3Servers.$current.withValue(S3Servers()) { try await function() }
    }
}

extension Trait where Self == S3ServersTrait {
    /// The trait of suites that use ``S3Servers``.
    public static var s3Servers: Self { S3ServersTrait() }
}
