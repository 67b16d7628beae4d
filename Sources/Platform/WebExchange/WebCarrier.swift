/// What brings HTTP requests to servers and answers back.
public protocol WebCarrier: Sendable {
    /// Returns when the head of the final answer is here. Cancelling the task ends the exchange.
    func begin(_ request: ExchangeRequest) async throws(ExchangeFailure) -> ExchangeAnswer
}

extension WebCarrier {
    /// A head with its whole body.
    public func load(_ request: ExchangeRequest) async throws(ExchangeFailure) -> WholeAnswer {
        let answer = try await begin(request)
        var body: [UInt8] = []
        do {
            for try await part in answer.body { body += part }
        } catch {
            throw error as? ExchangeFailure ?? .unreachable("\(error)")
        }
        // A cancelled task sees the body end early, which is no whole body.
        guard !Task.isCancelled else { throw .cancelled }
        return WholeAnswer(status: answer.status, headers: answer.headers, body: body)
    }
}
