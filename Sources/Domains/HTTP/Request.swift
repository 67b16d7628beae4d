public import AlmanacJSON
public import AlmanacPOSIX

/// An HTTP request, as endpoints see it.
public struct Request {
    /// As sent: methods are case-sensitive (RFC 9110 §9.1).
    public let method: String
    public let target: Target
    public let headers: Headers
    /// Whose pages' host it came to; nil for the API's own. The web server says so, no client can.
    public let application: Application?
    /// Names the request in logs and problem documents.
    public let id: String
    /// The body, not yet read.
    public let body: Body
    /// When it came to this process, by `MonotonicClock`, in nanoseconds.
    public let arrival: Int
    /// What it sets aside of the memory that large requests share.
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

/// Pages that are served at a host of their own, beside the API that they call there.
public enum Application: String, Sendable, CaseIterable {
    case console
    case notes
}

extension Request {
    /// Whether the client has gone, so that nobody waits for the response any more.
    public var isAbandoned: Bool { body.isAbandoned() }

    /// Refuses a request whose `Accept` header rules out every given media type (RFC 9110 §12.5.1).
    public func accepts(_ mediaTypes: String...) throws(Problem) {
        // An empty header asks for nothing in particular.
        guard let accept = headers.list("Accept"), !accept.trimmed.isEmpty else { return }
        let ranges = accept.split(separator: ",").compactMap(MediaRange.init)
        let isAccepted = mediaTypes.contains { type in
            // Of the ranges that include a type, the most specific one says whether it is wanted.
            let fitting = ranges.filter { $0.includes(type) }.max { $0.specificity < $1.specificity }
            return fitting?.isRefused == false
        }
        if !isAccepted {
            throw Problem(.notAcceptable, "this resource is served as \(mediaTypes.joined(separator: " or "))")
        }
    }

    /// Refuses a request whose body says it is something other than the given media types.
    ///
    /// A body without a `Content-Type` is taken for the first of them.
    public func contains(_ mediaTypes: String...) throws(Problem) {
        guard let contentType = headers["Content-Type"] else { return }
        guard let type = MediaRange(contentType), mediaTypes.contains(type.name),
            ["utf-8", nil].contains(type.charset)
        else {
            throw Problem(
                .unsupportedMediaType,
                "send the body as \(mediaTypes.joined(separator: " or ")) in UTF-8, for example with curl --json")
        }
    }
}

extension Request {
    /// The body as JSON; refused when it is none, or more than the limits allow.
    public func json(_ limits: JSONLimits) throws(Problem) -> JSONValue {
        try json(bytes(limit: limits.bytes), limits)
    }

    /// The whole body, for which memory is set aside until the request has been answered.
    ///
    /// - Parameter limit: the longest body that is taken, in bytes.
    public func bytes(limit: Int) throws(Problem) -> [UInt8] {
        if let coding = headers["Content-Encoding"], coding.lowercased() != "identity" {
            // RFC 9110 §15.5.16 wants this header then.
            throw Problem(
                .unsupportedMediaType,
                "send the body as it is: the Content-Encoding '\(coding.prefix(40))' is not taken",
                headers: [("Accept-Encoding", "identity")])
        }
        // What is made of it has about its size, twice.
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
                return try JSONValue(parsing: bytes, checkedAs: size, limits: limits)
            } catch {
                throw Problem(error, in: bytes)
            }
        }
    }
}

extension Problem {
    /// A body that is no JSON, or more than the limits allow.
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

    /// What a body that is no JSON seems to be.
    private static func guess(_ bytes: [UInt8]) -> String {
        let start = bytes.prefix(4)
        if start.starts(with: [0xFF, 0xFE]) || start.starts(with: [0xFE, 0xFF]) || start.contains(0) {
            return "; the body seems to be UTF-16, and UTF-8 is expected"
        }
        let name = bytes.prefix { $0.isInName }
        if start.starts(with: "---".utf8) || !name.isEmpty && bytes.dropFirst(name.count).first == UInt8(ascii: ":") {
            return "; the body seems to be YAML, and JSON is expected"
        }
        return ""
    }
}

/// The body of a request, read when an endpoint asks for it and never further than it allows.
public struct Body {
    /// The value of `Content-Length`, in bytes.
    public let length: Int?
    private let read: (Int) -> [UInt8]?
    /// Whether its sender has gone, so that nobody waits for the response any more.
    fileprivate let isAbandoned: () -> Bool

    /// An empty body.
    public init() {
        length = 0
        read = { _ in [] }
        isAbandoned = { false }
    }

    /// - Parameters:
    ///   - length: the value of `Content-Length`; nil when it isn't a number.
    ///   - isAbandoned: tells whether the client has gone.
    ///   - read: reads that many bytes, or returns nil when the client went away before it had sent them all.
    public init(
        length: Int?, isAbandoned: @escaping () -> Bool = { false }, read: @escaping (Int) -> [UInt8]?
    ) {
        self.length = length
        self.isAbandoned = isAbandoned
        self.read = read
    }

    /// Reads the whole body.
    ///
    /// - Parameter limit: a longer body is refused before memory is set aside for it; in bytes.
    public func bytes(limit: Int) throws(Problem) -> [UInt8] {
        guard let length, length >= 0 else {
            throw Problem(.invalidHeader, "Content-Length must be the body's number of bytes")
        }
        guard length <= limit else {
            throw Problem(.bodyTooLarge, "the body has \(length) bytes; at most \(limit) are taken")
        }
        guard let bytes = read(length) else {
            throw Problem(.invalidRequest, "the body ended before its \(length) bytes had arrived")
        }
        return bytes
    }
}

/// One media type or range with the parameters that matter here.
struct MediaRange {
    /// In lower case: `application/json`, `application/*`, `*/*`.
    let name: String
    let charset: String?
    /// Its quality is 0.
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

    /// The number of its parts that are no star.
    var specificity: Int { name.split(separator: "/").count { $0 != "*" } }

    func includes(_ mediaType: String) -> Bool {
        if name == "*/*" || name == mediaType { return true }
        return name.hasSuffix("/*") && mediaType.hasPrefix(name.dropLast())
    }
}

/// The header fields of a request.
public struct Headers {
    private let first: (String) -> String?
    private let all: (String) -> [String]

    /// - Parameters:
    ///   - first: finds the value of the first field of a name, whatever the case of its letters.
    ///   - all: finds those of all fields of a name.
    public init(first: @escaping (_ name: String) -> String?, all: @escaping (_ name: String) -> [String]) {
        (self.first, self.all) = (first, all)
    }

    public init(_ fields: [(name: String, value: String)] = []) {
        first = { name in fields.first { $0.name.caseInsensitivelyEquals(name) }?.value }
        all = { name in fields.filter { $0.name.caseInsensitivelyEquals(name) }.map(\.value) }
    }

    /// The value of the first field of that name.
    public subscript(_ name: String) -> String? { first(name) }

    /// The value of a field that browsers send once; nil where it is there again, perhaps with another value.
    public func single(_ name: String) -> String? {
        let values = all(name)
        return values.count == 1 ? values[0] : nil
    }

    /// The value of a field that is a list, which may be spread over lines (RFC 9110 §5.3).
    public func list(_ name: String) -> String? {
        guard let first = first(name) else { return nil }
        let values = all(name)
        return values.count == 1 ? first : values.joined(separator: ", ")
    }
}

extension String {
    /// Whether two field names or tokens are the same, ASCII letters compared without regard to case.
    func caseInsensitivelyEquals(_ other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { $0 == $1 || $0.loweredASCII == $1.loweredASCII }
    }
}

extension UInt8 {
    fileprivate var loweredASCII: UInt8 { (65...90).contains(self) ? self | 32 : self }

    /// Whether it is in a name as most are: a letter, a digit, a hyphen, a point or an underscore.
    fileprivate var isInName: Bool {
        (97...122).contains(loweredASCII) || (48...57).contains(self) || [45, 46, 95].contains(self)
    }

    fileprivate var isBlank: Bool { self == UInt8(ascii: " ") || self == UInt8(ascii: "\t") }
}

extension StringProtocol {
    /// Without spaces and tabs at either end.
    var trimmed: Substring { Substring(Substring(self).utf8.trimmed) }
}

extension BidirectionalCollection<UInt8> where SubSequence == Self {
    /// Without spaces and tabs at either end.
    var trimmed: Self {
        var rest = self
        while let first = rest.first, first.isBlank { rest = rest.dropFirst() }
        while let last = rest.last, last.isBlank { rest = rest.dropLast() }
        return rest
    }
}
