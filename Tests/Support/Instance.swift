internal import AlmanacPOSIX

/// The running Almanac instance that the acceptance tests use, started by `deploy/test`.
public struct Instance: Sendable {
    /// Scheme, host and port: `https://localhost:18443`.
    public let url: String
    /// The instance's `ALMANAC_HOME`: certificates, tokens, programs, data.
    public let home: String
    /// The folder of the tested checkout.
    public let checkout: String

    /// Returns the instance that the environment variables describe.
    public static func current() throws -> Instance {
        Instance(
            url: try variable("ALMANAC_TEST_URL"), home: try variable("ALMANAC_TEST_HOME"),
            checkout: try variable("ALMANAC_TEST_CHECKOUT"))
    }

    /// Returns the full path of a file under the instance's home: `bin/almanac`.
    public func path(_ name: String) -> String { "\(home)/\(name)" }

    /// The certificate authority that signed the instance's certificate.
    public var caFile: String { path("tls/ca.pem") }

    /// Reads the API token of an environment that grants every right there.
    public func token(_ environment: String) throws -> String {
        let contents = try String(decoding: File.read(path("tokens/\(environment).token")), as: UTF8.self)
        return contents.filter { !$0.isWhitespace }
    }

    /// Creates a client for the calling thread.
    public func client(
        token: String? = nil, version: HTTPClient.Version = .any, decompresses: Bool = false
    ) -> HTTPClient {
        HTTPClient(base: url, caFile: caFile, token: token, version: version, decompresses: decompresses)
    }

    /// Runs `deploy/run` of the checkout.
    ///
    /// - Returns: the script's standard output.
    @discardableResult
    public func run(_ arguments: String...) throws -> String {
        let outcome = try Command.run("\(checkout)/deploy/run", arguments)
        guard outcome.succeeded else { throw InstanceFailure(description: outcome.errors) }
        return outcome.output
    }

    /// Reads a process id from a file under `run`: `nginx` for its master, `worker` for the workers' supervisor.
    public func pid(of server: String) throws -> Int32 {
        let contents = try String(decoding: File.read(path("run/\(server).pid")), as: UTF8.self)
        let number = contents.prefix { !$0.isWhitespace }
        guard let pid = Int32(number), pid > 1 else {
            throw InstanceFailure(description: "run/\(server).pid holds no process id")
        }
        return pid
    }

    private static func variable(_ name: String) throws -> String {
        guard let value = Process.variable(name) else {
            throw InstanceFailure(
                description: "\(name) is not set: these tests need a running instance, run deploy/test")
        }
        return value
    }
}

/// An error of the instance under test, such as a missing variable or a failed script.
public struct InstanceFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(description: String) { self.description = description }
}
