#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What brings requests to the identity provider. ``SignInHTTPTransport`` is one; tests and apps bring their own.
public protocol SignInTransport: Sendable {
    /// Sends a request and gives the whole answer, whatever its status. Redirects are not followed.
    ///
    /// - Throws: anything when no whole answer came.
    func send(_ request: SignInRequest) async throws -> SignInAnswer
}

/// A request to the identity provider. Its body may hold secrets.
public struct SignInRequest: Sendable, CustomStringConvertible {
    public var method: String
    public var url: String
    public var headers: [(name: String, value: String)] = []
    public var body: [UInt8]?
    /// The most bytes that the answer's body may have.
    public var byteLimit = 1 << 20
    /// How long it may take, in seconds.
    public var timeout: TimeInterval = 30

    public init(_ method: String, _ url: String) {
        self.method = method
        self.url = url
    }

    public var description: String { "\(method) \(url)" }
}

/// An answer of the identity provider. Its body may hold secrets.
public struct SignInAnswer: Sendable, CustomStringConvertible {
    public var status: Int
    public var body: [UInt8]

    public init(status: Int, body: [UInt8] = []) {
        self.status = status
        self.body = body
    }

    public var description: String { "an answer with the status \(status)" }
}
