internal import AlmanacClientRuntime
internal import AlmanacJSON

/// Why a call was not answered with what was asked for.
public struct CallFailure: Error, Sendable, CustomStringConvertible {
    /// The kind of a failure, as far as a caller acts on it.
    public enum Kind: Sendable, Equatable {
        /// No answer: the server is away, not trusted, or too slow.
        case unreachable
        /// There is no such thing, or no more.
        case notFound
        /// The server has no environment of that name.
        case noEnvironment
        /// The state that the call was made for is no longer the newest.
        case movedOn
        /// A token is missing, not accepted, or may not do this.
        case notAllowed
        /// Anything else that the server refused.
        case refused
    }

    public let kind: Kind
    /// The name of the problem, such as `entry-not-found`; nil where the answer was no problem document.
    public let problem: String?
    public private(set) var description: String
    /// How long the server asks to wait before the call is made again.
    var retryAfter: Duration?
    /// Where the config is, when it has moved on.
    public private(set) var cursor: String?
    /// The name of an environment that may be mistyped: the server, or the folder of tokens, has none of that name.
    public private(set) var environment: String?

    init(_ response: TransportResponse<[UInt8]>, hadToken: Bool) {
        let document = try? JSONValue(parsing: response.body).objectValue
        let prefix = "urn:almanac:problem:"
        let type = document?["type"]?.stringValue
        problem = type.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
        cursor = response.headers["Almanac-Cursor"]
        kind =
            switch response.status {
            case 404 where problem == "environment-not-found": .noEnvironment
            case 404, 410: .notFound
            case 412: .movedOn
            case 401, 403: .notAllowed
            default: .refused
            }
        var text = document?["detail"]?.stringValue ?? document?["title"]?.stringValue ?? "the server answered no more"
        text += Self.faults(in: document?["faults"])
        text += " (status \(response.status)\(problem.map { ", \($0)" } ?? ""))"
        if response.status == 401, !hadToken {
            text +=
                "; give --token-file, set ALMANAC_TOKEN_FILE, name it in the profile, or sign in with 'almanac login'"
        }
        description = text
    }

    /// The most faults that are named.
    private static let named = 5

    /// What else is wrong with flags, each with the place of the fault: the first is what the problem is about.
    private static func faults(in list: JSONValue?) -> String {
        let faults = list?.arrayValue?.compactMap(\.objectValue).dropFirst() ?? []
        let lines = faults.prefix(named).map { fault in
            func text(_ name: String) -> String { fault[name]?.stringValue ?? "" }
            return "; \(text("key")) \(text("path")): \(text("message"))"
        }
        return lines.joined() + (faults.count > named ? "; and \(faults.count - named) more" : "")
    }

    /// The same failure, with more about it.
    ///
    /// - Parameter environment: one that may be mistyped.
    public func described(as description: String, environment: String? = nil) -> CallFailure {
        var failure = self
        failure.description = description
        failure.environment = environment
        return failure
    }

    /// Something is not there, as the caller has found out.
    public init(notFound description: String) {
        self.init(.notFound, description)
    }

    /// Nobody is signed in who may do it, as the caller has found out.
    public init(notAllowed description: String) {
        self.init(.notAllowed, description)
    }

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        problem = nil
        self.description = description
    }
}
