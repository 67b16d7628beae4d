internal import AlmanacCLibPQ
internal import AlmanacPOSIX

extension Connection {
    /// Starts receiving the notifications of a channel.
    public func listen(_ channel: String) throws(PostgresFailure) {
        guard let escaped = unsafe PQescapeIdentifier(pointer, channel, channel.utf8.count) else {
            throw .unexpectedResult("\"\(channel)\" is not a valid name of a channel: \(lastMessage)")
        }
        defer { unsafe PQfreemem(escaped) }
        _ = try unsafe command("listen \(String(cString: escaped))")
        isListening = true
    }

    /// Blocks until a notification arrives, and returns all received notifications in the order of their commits, or
    /// none after the time limit.
    ///
    /// - Parameter wakeUp: A descriptor that ends the wait when readable, such as that of `AlmanacPOSIX.Event`.
    /// - Throws: `.lost` if the connection has ended.
    public func notifications(upTo limit: Duration, wakeUp: Int32? = nil) throws(PostgresFailure) -> [Notification] {
        guard !isBroken, isConnected else { throw .lost("the connection had already ended") }
        let deadline = ContinuousClock.now + limit
        while true {
            let isOpen = unsafe PQconsumeInput(pointer) == 1 && isConnected
            let received = takeNotifications()
            if !received.isEmpty { return received }
            guard isOpen, isConnected else { throw .lost(lastMessage) }
            let remaining = max(.zero, deadline - .now)
            guard Poll.readable([socket] + (wakeUp.map { [$0] } ?? []), upTo: remaining) == socket else { return [] }
        }
    }

    private func takeNotifications() -> [Notification] {
        var received: [Notification] = []
        // Safe because each notification is copied and then freed once.
        while let notification = unsafe PQnotifies(pointer) {
            defer { unsafe PQfreemem(notification) }
            received.append(
                Notification(
                    channel: unsafe String(cString: notification.pointee.relname),
                    payload: unsafe String(cString: notification.pointee.extra),
                    processID: unsafe notification.pointee.be_pid))
        }
        return received
    }
}

/// A `NOTIFY` of another session on a listened channel.
public struct Notification: Hashable, Sendable {
    public let channel: String
    public let payload: String
    /// The id of the server process of the sender's session.
    public let processID: Int32
}
