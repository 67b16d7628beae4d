internal import AlmanacPOSIX
internal import AlmanacTransport
internal import Synchronization

/// One thread that carries any number of exchanges.
final class TransferLoop: Sendable {
    private enum Command {
        case begin(ExchangeOrder)
        case cancel(UInt64)
    }

    private struct Inbox {
        var commands: [Command] = []
        var newestID: UInt64 = 0
        var isRunning = false
        var isClosed = false
    }

    // Invariant: the thread runs from the first command until the loop is closed and no exchange is under way, and takes
    // the commands in the order in which they came.
    private let inbox = Mutex(Inbox())
    private let transfers = MultiHandle()
    private let caFile: String?

    init(caFile: String?) {
        self.caFile = caFile
    }

    func newID() -> UInt64 {
        inbox.withLock {
            $0.newestID += 1
            return $0.newestID
        }
    }

    func begin(_ order: ExchangeOrder) {
        // Not with the order, whose stream would then never be let go of.
        order.body.onTermination = { [self, id = order.id] _ in cancel(id) }
        post(.begin(order))
    }

    /// Does nothing when the exchange is over.
    func cancel(_ id: UInt64) {
        post(.cancel(id))
    }

    /// Ends the thread when the exchanges under way are over.
    func close() {
        inbox.withLock { $0.isClosed = true }
        transfers.wake()
    }

    private func post(_ command: Command) {
        let isFirst = inbox.withLock { inbox in
            inbox.commands.append(command)
            defer { inbox.isRunning = true }
            return !inbox.isRunning
        }
        if isFirst {
            _ = AlmanacPOSIX.Thread(name: "transfers") { self.run() }
        } else {
            transfers.wake()
        }
    }

    private func run() {
        // A library may not end the program because a server has closed.
        Signal.blockBrokenPipes()
        var exchanges: [UInt64: Exchange] = [:]
        while true {
            let (commands, isClosed) = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                return (inbox.commands, inbox.isClosed)
            }
            for command in commands { obey(command, &exchanges) }
            transfers.perform()
            while let (handle, code) = unsafe transfers.nextEnded() {
                guard let exchange = exchanges.values.first(where: { unsafe $0.handle.pointer == handle }) else {
                    continue
                }
                exchange.end(code)
                remove(exchange, &exchanges)
            }
            if isClosed, exchanges.isEmpty { return }
            transfers.wait()
        }
    }

    private func obey(_ command: Command, _ exchanges: inout [UInt64: Exchange]) {
        switch command {
        case .begin(let order):
            do throws(TransportFailure) {
                let exchange = try Exchange(order, caFile: caFile)
                transfers.add(exchange.handle)
                exchanges[order.id] = exchange
            } catch {
                order.head.resume(throwing: error)
            }
        case .cancel(let id):
            guard let exchange = exchanges[id] else { return }
            exchange.cancel()
            remove(exchange, &exchanges)
        }
    }

    private func remove(_ exchange: Exchange, _ exchanges: inout [UInt64: Exchange]) {
        exchanges[exchange.id] = nil
        transfers.remove(exchange.handle)
    }
}
