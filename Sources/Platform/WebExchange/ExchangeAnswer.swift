/// The head of an answer, and its body as it arrives.
public struct ExchangeAnswer: Sendable {
    public let status: Int
    public let headers: [(name: String, value: String)]
    /// The parts of the body; throws ``ExchangeFailure``. Letting go of it ends the exchange.
    public let body: Body

    public typealias Body = AsyncThrowingStream<[UInt8], any Error>

    public init(status: Int, headers: [(name: String, value: String)], body: Body) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

extension ExchangeRequest {
    /// The way of a body from who receives it to who reads it.
    ///
    /// A stream without end, whose reader does not keep up, ends when 1,024 parts wait: `yield` says that one was dropped.
    public func makeBody() -> (stream: ExchangeAnswer.Body, continuation: ExchangeAnswer.Body.Continuation) {
        ExchangeAnswer.Body.makeStream(bufferingPolicy: byteLimit == nil ? .bufferingOldest(1024) : .unbounded)
    }
}
