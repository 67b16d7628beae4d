internal import AlmanacClientRuntime
internal import AlmanacJSON

/// A failure of a request to the server.
public struct CallFailure: Error, Sendable, CustomStringConvertible {
    /// The kind of failure, for the caller's reaction.
    public enum Kind: Sendable, Equatable {
        /// There was no response: the server is unreachable, untrusted or too slow.
        case unreachable
        /// The resource does not exist or no longer exists.
        case notFound
        /// The server has no environment of this name.
        case noEnvironment
        /// The state on which the request was based is no longer the newest.
        case preconditionFailed
        /// The token is missing, invalid or lacks a scope.
        case notAllowed
        /// The server rejected the request for another reason.
        case refused
    }

    public let kind: Kind
    /// The name of the problem, such as `entry-not-found`; nil if the response was not a problem document.
    public let problem: String?
    public private(set) var description: String
    var retryAfter: Duration?
    /// The current cursor of the config, for ``Kind/preconditionFailed``.
    public private(set) var cursor: String?
    /// The name of an environment that may be misspelled: the server or the token folder does not have it.
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
            case 412: .preconditionFailed
            case 401, 403: .notAllowed
            default: .refused
            }
        var text =
            document?["detail"]?.stringValue ?? document?["title"]?.stringValue ?? "the server sent no explanation"
        text += Self.faults(in: document?["faults"])
        text += " (status \(response.status)\(problem.map { ", \($0)" } ?? ""))"
        if response.status == 401, !hadToken {
            text +=
                "; give --token-file, set ALMANAC_TOKEN_FILE, name it in the profile, or sign in with 'almanac login'"
        }
        description = text
    }

    /// The maximum number of faults in a description.
    private static let named = 5

    /// Returns the further faults of flags with their paths. The problem's detail already contains the first fault.
    private static func faults(in list: JSONValue?) -> String {
        let faults = list?.arrayValue?.compactMap(\.objectValue).dropFirst() ?? []
        let lines = faults.prefix(named).map { fault in
            func text(_ name: String) -> String { fault[name]?.stringValue ?? "" }
            return "; \(text("key")) \(text("path")): \(text("message"))"
        }
        return lines.joined() + (faults.count > named ? "; and \(faults.count - named) more" : "")
    }

    /// Returns the failure with another description.
    ///
    /// - Parameter environment: the name of an environment that may be misspelled.
    public func described(as description: String, environment: String? = nil) -> CallFailure {
        var failure = self
        failure.description = description
        failure.environment = environment
        return failure
    }

    /// Creates a failure for a missing resource that the caller has detected.
    public init(notFound description: String) { self.init(.notFound, description) }

    /// Creates a failure for a missing permission that the caller has detected.
    public init(notAllowed description: String) { self.init(.notAllowed, description) }

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        problem = nil
        self.description = description
    }
}
