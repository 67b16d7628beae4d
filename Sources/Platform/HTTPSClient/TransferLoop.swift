internal import AlmanacCCurl
internal import AlmanacPOSIX
internal import AlmanacTransport
internal import Synchronization

/// A thread that runs any number of transfers.
final class TransferLoop: Sendable {
    private enum Command {
        case begin(QueuedRequest)
        case cancel(UInt64)
    }

    private struct Inbox {
        var commands: [Command] = []
        var newestID: UInt64 = 0
        var isRunning = false
        var isClosed = false
    }

    // Invariant: the thread runs from the first command until the loop is closed and no transfer is in progress, and it
    // executes commands in the order of their arrival.
    private let inbox = Mutex(Inbox())
    private let multi = MultiHandle()
    private let caFile: String?

    init(caFile: String?) { self.caFile = caFile }

    func newID() -> UInt64 {
        inbox.withLock {
            $0.newestID += 1
            return $0.newestID
        }
    }

    func begin(_ request: QueuedRequest) {
        // Capturing the request would keep its stream alive forever.
        request.body.onTermination = { [self, id = request.id] _ in cancel(id) }
        post(.begin(request))
    }

    /// Cancels a transfer. An ended transfer is ignored.
    func cancel(_ id: UInt64) { post(.cancel(id)) }

    /// Ends the thread after the transfers in progress.
    func close() {
        inbox.withLock { $0.isClosed = true }
        multi.wake()
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
            multi.wake()
        }
    }

    private func run() {
        // SIGPIPE after a server has closed must not end the process.
        Signal.blockBrokenPipes()
        var transfers: [UInt64: StreamedTransfer] = [:]
        while true {
            let (commands, isClosed) = inbox.withLock { inbox in
                defer { inbox.commands = [] }
                return (inbox.commands, inbox.isClosed)
            }
            for command in commands { run(command, &transfers) }
            multi.perform()
            while let (handle, code) = unsafe multi.nextEnded() {
                guard let transfer = transfers.values.first(where: { unsafe $0.handle.pointer == handle }) else {
                    continue
                }
                transfer.end(code)
                remove(transfer, &transfers)
            }
            if isClosed, transfers.isEmpty { return }
            multi.wait()
        }
    }

    private func run(_ command: Command, _ transfers: inout [UInt64: StreamedTransfer]) {
        switch command {
        case .begin(let request):
            do throws(TransportFailure) {
                let transfer = try StreamedTransfer(request, caFile: caFile)
                multi.add(transfer.handle)
                transfers[request.id] = transfer
            } catch {
                request.head.resume(throwing: error)
            }
        case .cancel(let id):
            guard let transfer = transfers[id] else { return }
            transfer.cancel()
            remove(transfer, &transfers)
        }
    }

    private func remove(_ transfer: StreamedTransfer, _ transfers: inout [UInt64: StreamedTransfer]) {
        transfers[transfer.id] = nil
        multi.remove(transfer.handle)
    }
}

/// A libcurl multi handle: the state of concurrent transfers and their reusable connections.
@safe final class MultiHandle: @unchecked Sendable {
    // Safe because only one thread at a time makes calls, that of a transfer loop or of a streaming transfer, except
    // `wake`, which any thread may call (curl_multi_wakeup(3)), and the pointer is freed with the last reference.
    private let pointer: UnsafeMutableRawPointer

    init() {
        libraryIsReady
        guard let pointer = unsafe curl_multi_init() else { fatalError("out of memory") }
        unsafe self.pointer = pointer
    }

    deinit { unsafe curl_multi_cleanup(pointer) }

    func add(_ handle: borrowing EasyHandle) { unsafe Self.check(curl_multi_add_handle(pointer, handle.pointer)) }

    func remove(_ handle: borrowing EasyHandle) { unsafe Self.check(curl_multi_remove_handle(pointer, handle.pointer)) }

    /// Performs all work that does not block.
    func perform() {
        var running: Int32 = 0
        unsafe Self.check(curl_multi_perform(pointer, &running))
    }

    /// Returns a newly ended transfer and its result, or nil.
    func nextEnded() -> (handle: UnsafeMutableRawPointer, code: CURLcode)? {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(pointer, &left) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle else {
                continue
            }
            return unsafe (handle, ccurl_outcome(message))
        }
        return nil
    }

    /// Blocks until there is work.
    func wait() {
        // libcurl returns earlier for its own timers.
        unsafe Self.check(curl_multi_poll(pointer, nil, 0, 3_600_000, nil))
    }

    /// Ends the current or the next `wait`.
    func wake() { unsafe Self.check(curl_multi_wakeup(pointer)) }

    private static func check(_ code: CURLMcode) {
        precondition(code == CURLM_OK, "the call of libcurl failed: error \(code.rawValue)")
    }
}
