public import AlmanacJSON
public import AlmanacPOSIX

/// An HTTP request for the endpoints.
public final class Request {
    /// The method as sent, because methods are case-sensitive (RFC 9110 §9.1).
    public let method: String
    public let target: Target
    public let headers: Headers
    /// The application whose host received the request; nil for the API's own host. Only the web server can set this.
    public let application: Application?
    /// The id of the request in logs and problem documents.
    public let id: String
    /// The body, read on demand.
    public let body: Body
    /// The arrival at this process, by `MonotonicClock`, in nanoseconds.
    public let arrival: Int
    /// The memory that the request reserves from the budget of large requests.
    public let memory: RequestMemory

    public init(
        method: String, target: Target, headers: Headers, application: Application? = nil, id: String,
        body: Body = Body(), arrival: Int = MonotonicClock.nanoseconds, memory: RequestMemory = RequestMemory()
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.application = application
        self.id = id
        self.body = body
        self.arrival = arrival
        self.memory = memory
    }
}

/// An application with pages at a separate host, together with the API that they call.
public enum Application: String, Sendable, CaseIterable {
    case console
    case notes
}

extension Request {
    /// True if the client has disconnected.
    public var isAbandoned: Bool { body.isAbandoned() }

    /// Refuses a request whose `Accept` header rules out every given media type (RFC 9110 §12.5.1).
    public func accepts(_ mediaTypes: String...) throws(Problem) {
        // An empty header accepts everything.
        guard let accept = headers.list("Accept"), !accept.hasSameBytes(as: "*/*"), !accept.trimmed.isEmpty else {
            return
        }
        let ranges = accept.split(separator: ",").compactMap(MediaRange.init)
        let isAccepted = mediaTypes.contains { type in
            // The most specific range that includes the type decides.
            let fitting = ranges.filter { $0.includes(type) }.max { $0.specificity < $1.specificity }
            return fitting?.isRefused == false
        }
        if !isAccepted {
            throw Problem(.notAcceptable, "this resource is served as \(mediaTypes.joined(separator: " or "))")
        }
    }

    /// Refuses a request whose body has none of the given media types.
    ///
    /// A body without a `Content-Type` counts as the first type.
    public func contains(_ mediaTypes: String...) throws(Problem) {
        guard let contentType = headers["Content-Type"] else { return }
        // Most clients send one of these two texts, which need no parsing.
        let isUsual = mediaTypes.contains {
            contentType.hasSameBytes(as: $0) || contentType.hasSameBytes(as: $0 + "; charset=utf-8")
        }
        if isUsual { return }
        guard let type = MediaRange(contentType), mediaTypes.contains(type.name), ["utf-8", nil].contains(type.charset)
        else {
            throw Problem(
                .unsupportedMediaType,
                "send the body as \(mediaTypes.joined(separator: " or ")) in UTF-8, for example with curl --json")
        }
    }
}

extension Request {
    /// Parses the body as JSON; refuses other content, and a body beyond the limits.
    public func json(_ limits: JSONLimits) throws(Problem) -> JSONValue { try json(bytes(limit: limits.bytes), limits) }

    /// Reads the whole body, up to a limit in bytes, and reserves memory for it until the request has been answered.
    public func bytes(limit: Int) throws(Problem) -> [UInt8] {
        if let coding = headers["Content-Encoding"], coding.lowercased() != "identity" {
            // RFC 9110 §15.5.16 asks for this header.
            throw Problem(
                .unsupportedMediaType,
                "the Content-Encoding '\(coding.prefix(40))' is not supported; send the body unencoded",
                headers: [("Accept-Encoding", "identity")])
        }
        // Values made from the body take about twice its size.
        if let length = body.length, length <= limit { try memory.reserve(3 * length) }
        return try body.bytes(limit: limit)
    }

    /// Parses a body that has been read.
    public func json(_ bytes: [UInt8], _ limits: JSONLimits) throws(Problem) -> JSONValue {
        let size: JSONSize
        do throws(JSONFailure) {
            size = try JSONSize(of: bytes, limits: limits)
        } catch {
            throw Problem(error, in: bytes)
        }
        return try memory.reserving(size.memory) { () throws(Problem) in
            do throws(JSONFailure) {
                return try JSONValue(parsing: bytes, size: size, limits: limits)
            } catch {
                throw Problem(error, in: bytes)
            }
        }
    }
}

extension Problem {
    /// Creates the problem for a body that is not JSON or exceeds the limits.
    fileprivate init(_ failure: JSONFailure, in bytes: [UInt8]) {
        let kind: ProblemKind =
            switch failure {
            case .tooLarge: .bodyTooLarge
            case .tooDeep, .tooManyContainers, .tooManyMembers, .tooManyValues, .tooManyElements: .limitExceeded
            case .nulCharacter, .loneSurrogate, .numberOutOfRange: .invalidValue
            default: .invalidJSON
            }
        self.init(kind, "\(failure)" + ([.invalidJSON, .invalidValue].contains(kind) ? Self.guess(bytes) : ""))
    }

    /// Returns a guess at the format of a body that is not JSON.
    private static func guess(_ bytes: [UInt8]) -> String {
        let start = bytes.prefix(4)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.contains(0) {
            return "; the body seems to be UTF-16; expected UTF-8"
        }
        let name = bytes.prefix { $0.isInName }
        if start.starts(with: "---".utf8) || !name.isEmpty && bytes.dropFirst(name.count).first == UInt8(ascii: ":") {
            return "; the body seems to be YAML; expected JSON"
        }
        return ""
    }
}

/// The body of a request, read on demand and only up to a limit.
public struct Body {
    /// The value of `Content-Length`, in bytes.
    public let length: Int?
    private let read: (Int) -> [UInt8]?
    /// A test for a disconnected client.
    fileprivate let isAbandoned: () -> Bool

    public init() {
        length = 0
        read = { _ in [] }
        isAbandoned = { false }
    }

    /// - Parameters:
    ///   - length: The value of `Content-Length`; nil if it is not a number.
    ///   - isAbandoned: Returns true if the client has disconnected.
    ///   - read: Reads a number of bytes; returns nil if the client disconnected before all of them arrived.
    public init(length: Int?, isAbandoned: @escaping () -> Bool = { false }, read: @escaping (Int) -> [UInt8]?) {
        self.length = length
        self.isAbandoned = isAbandoned
        self.read = read
    }

    /// Reads the whole body. A body over the limit, in bytes, is refused before memory is allocated.
    public func bytes(limit: Int) throws(Problem) -> [UInt8] {
        guard let length, length >= 0 else {
            throw Problem(.invalidHeader, "Content-Length must be the number of bytes of the body")
        }
        guard length <= limit else {
            throw Problem(.bodyTooLarge, "the body has \(length) bytes; the limit is \(limit)")
        }
        guard let bytes = read(length) else {
            throw Problem(.invalidRequest, "the body ended before its \(length) bytes had arrived")
        }
        return bytes
    }
}

/// A media type or range, with the parameters that matter here.
struct MediaRange {
    /// The name in lower case: `application/json`, `application/*`, `*/*`.
    let name: String
    let charset: String?
    /// True if the quality is 0.
    let isRefused: Bool

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ";").map { $0.trimmed.lowercased() }
        guard let name = parts.first, name.contains("/") else { return nil }
        self.name = name
        let parameters = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map { String($0.trimmed) } }
        charset = parameters.first { $0.first == "charset" }?.last?.filter { $0 != "\"" }
        let quality = parameters.first { $0.first == "q" }?.last
        isRefused = quality.map { !$0.contains { ("1"..."9").contains($0) } } ?? false
    }

    /// The number of parts other than `*`.
    var specificity: Int { name.split(separator: "/").count { $0 != "*" } }

    func includes(_ mediaType: String) -> Bool {
        if name == "*/*" || name == mediaType { return true }
        return name.hasSuffix("/*") && mediaType.hasPrefix(name.dropLast())
    }
}

/// The header fields of a request as received, whose names are compared without regard to case.
public protocol HeaderSource {
    /// Returns the value of the first field of a name.
    func field(_ name: String) -> String?
    /// Returns the values of all fields of a name, one for each line.
    func fields(_ name: String) -> [String]
}

public struct Headers {
    private let source: any HeaderSource

    public init(_ source: any HeaderSource) { self.source = source }

    public init(_ fields: [(name: String, value: String)] = []) { source = FieldList(list: fields) }

    /// The value of the first field of that name.
    public subscript(_ name: String) -> String? { source.field(name) }

    /// Returns the value of a field that browsers send once, or nil if the field is absent or repeated.
    public func single(_ name: String) -> String? {
        let values = source.fields(name)
        return values.count == 1 ? values[0] : nil
    }

    /// Returns the value of a list field, which may span several lines (RFC 9110 §5.3).
    public func list(_ name: String) -> String? {
        let values = source.fields(name)
        return values.count > 1 ? values.joined(separator: ", ") : values.first
    }
}

private struct FieldList: HeaderSource {
    let list: [(name: String, value: String)]

    func field(_ name: String) -> String? { list.first { $0.name.caseInsensitivelyEquals(name) }?.value }

    func fields(_ name: String) -> [String] {
        list.filter { $0.name.caseInsensitivelyEquals(name) }.map(\.value)
    }
}

extension String {
    /// Returns true if two field names or tokens are equal, ignoring the case of ASCII letters.
    func caseInsensitivelyEquals(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.loweredASCII == $1.loweredASCII }
    }
}

extension UInt8 {
    fileprivate var loweredASCII: UInt8 { (65...90).contains(self) ? self | 32 : self }

    /// True if the byte is a letter, a digit, a hyphen, a point or an underscore, as in most names.
    fileprivate var isInName: Bool {
        (97...122).contains(loweredASCII) || (48...57).contains(self) || [45, 46, 95].contains(self)
    }

    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension StringProtocol {
    /// The text without spaces and tabs at both ends.
    var trimmed: Substring { Substring(Substring(self).utf8.trimmed) }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// The bytes without spaces and tabs at both ends.
    var trimmed: Self {
        var rest = self
        while let first = rest.first, first.isBlank { rest = rest.dropFirst() }
        while let last = rest.last, last.isBlank { rest = rest.dropLast() }
        return rest
    }
}
