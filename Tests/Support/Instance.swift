internal import AlmanacPOSIX

/// The running Almanac that the acceptance tests talk to, as `deploy/test` started it.
public struct Instance: Sendable {
    /// Scheme, host and port: `https://localhost:18443`.
    public let url: String
    /// The instance's `ALMANAC_HOME`: certificates, tokens, programs, data.
    public let home: String
    /// The folder of the checkout that is tested.
    public let checkout: String

    /// The instance that the environment variables name.
    public static func current() throws -> Instance {
        Instance(
            url: try variable("ALMANAC_TEST_URL"), home: try variable("ALMANAC_TEST_HOME"),
            checkout: try variable("ALMANAC_TEST_CHECKOUT"))
    }

    /// The full path of a file under the instance's home: `bin/almanac`.
    public func path(_ name: String) -> String { "\(home)/\(name)" }

    /// The certificate authority that signed the instance's certificate.
    public var caFile: String { path("tls/ca.pem") }

    /// The API token of an environment that may do everything there.
    public func token(_ environment: String) throws -> String {
        let contents = try String(decoding: File.read(path("tokens/\(environment).token")), as: UTF8.self)
        return contents.filter { !$0.isWhitespace }
    }

    /// A client for the calling thread.
    public func client(
        token: String? = nil, version: HTTPClient.Version = .any, decompresses: Bool = false
    ) -> HTTPClient {
        HTTPClient(base: url, caFile: caFile, token: token, version: version, decompresses: decompresses)
    }

    /// Calls `deploy/run` of the checkout.
    ///
    /// - Returns: what it wrote to standard output.
    @discardableResult
    public func run(_ arguments: String...) throws -> String {
        let outcome = try Command.run("\(checkout)/deploy/run", arguments)
        guard outcome.succeeded else { throw InstanceFailure(description: outcome.errors) }
        return outcome.output
    }

    /// The process id that a file under `run` holds: `nginx` for its master, `worker` for the workers' supervisor.
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

/// The instance under test is not there or not as expected.
public struct InstanceFailure: Error, Sendable, CustomStringConvertible {
    public let description: String

    public init(description: String) {
        self.description = description
    }
}
