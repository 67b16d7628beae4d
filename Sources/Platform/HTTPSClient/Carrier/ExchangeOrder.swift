internal import AlmanacWebExchange

/// A request on its way to the thread that carries it, with who waits for the answer.
struct ExchangeOrder: Sendable {
    let id: UInt64
    let request: ExchangeRequest
    /// Resumed once.
    let head: CheckedContinuation<ExchangeAnswer, any Error>
    let stream: ExchangeAnswer.Body
    let body: ExchangeAnswer.Body.Continuation

    init(id: UInt64, _ request: ExchangeRequest, _ head: CheckedContinuation<ExchangeAnswer, any Error>) {
        self.id = id
        self.request = request
        self.head = head
        (stream, body) = request.makeBody()
    }
}
