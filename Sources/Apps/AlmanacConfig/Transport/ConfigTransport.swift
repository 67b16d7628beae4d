internal import AlmanacTransport
internal import Foundation

/// What brings requests to the server. Tests bring their own.
public protocol ConfigTransport: Sendable {
    /// Returns when the head of the answer is here. Cancelling the task ends the transfer.
    ///
    /// - Throws: ``ConfigFailure``; any other error counts as ``ConfigFailure/unreachable(_:)``.
    func send(_ request: TransportRequest) async throws -> TransportResponse
}

extension ConfigTransport {
    /// The head of an answer with its whole body.
    func load(
        _ request: TransportRequest, within limit: Duration
    ) async throws(ConfigFailure) -> (response: TransportResponse, body: Data) {
        do {
            return try await withDeadline(limit) {
                let response = try await send(request)
                var body = Data()
                for try await part in response.body {
                    body += part
                    if let limit = request.byteLimit, body.count > limit { throw ConfigFailure.tooLarge(limit: limit) }
                }
                // A cancelled task sees the body end early, which is no whole body.
                try Task.checkCancellation()
                return (response, body)
            }
        } catch {
            throw ConfigFailure(transport: error)
        }
    }
}

extension ConfigFailure {
    init(transport error: any Error) {
        self =
            switch error {
            case let error as ConfigFailure: error
            case let error as TransportFailure: ConfigFailure(error)
            case is CancellationError: .timedOut
            default: .unreachable("\(error)")
            }
    }

    private init(_ failure: TransportFailure) {
        self =
            switch failure {
            case .timedOut, .cancelled: .timedOut
            case .tooLarge(let limit): .tooLarge(limit: limit)
            case .redirectedTooOften: .redirectedTooOften
            case .leftHTTPS: .unexpectedAnswer("\(failure)")
            case .unreachable, .unread, .unsendable: .unreachable("\(failure)")
            }
    }
}
