internal import AlmanacCFastCGI
internal import AlmanacCLinux
public import AlmanacPOSIX
public import AlmanacResponseStreams
internal import Glibc
internal import Synchronization

/// A listening socket and the FastCGI connections accepted from it, shared by the worker threads.
///
/// A thread holds a connection only during a request; idle connections wait in a common set. The web server may
/// therefore keep any number of connections open, and a thread that has finished a request takes the next waiting one
/// on any of them without sleeping. Several processes may listen on one socket.
public final class Listener: Sendable {
    private let descriptor: Int32
    private let stop: Event
    private let ready: ReadySet
    /// The slots of open connections, and the vacant slots. Used only when a connection is opened or closed.
    ///
    /// Invariant: `all` has every slot whose tag `ready` has ever been given; `vacant` has those without a connection.
    private let slots = Mutex<(all: [ConnectionSlot], vacant: [ConnectionSlot])>(([], []))
    /// The descriptors of connections without a request so far.
    ///
    /// Invariant: each belongs to an open connection that `ready` watches or is about to watch.
    private let new = Mutex<Set<Int32>>([])
    /// The time to wait, after the stop event, for the first request on an accepted connection. The web server opened
    /// the connection for that request and cannot safely resend every request.
    private static let firstRequestGracePeriod = Duration.seconds(2)

    /// The tags of the descriptors that are not connections. No object has such an address.
    private static let listeningTag: UInt = 1
    private static let stopTag: UInt = 2

    public enum Source: Sendable {
        /// A listening socket inherited by the process, as from spawn-fcgi: descriptor 0.
        case inherited(descriptor: Int32)
        /// `host:port` or `:port` (every interface) for TCP, or a path for a Unix socket.
        case address(String)
    }

    /// Opens or takes over a listening socket. After the stop event, `accept` returns nil once no request is waiting.
    public init(_ source: Source, stop: Event) throws(ListenerFailure) {
        libraryIsReady
        switch source {
        case .inherited(let descriptor):
            var listens: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
                throw .notListening(descriptor: descriptor)
            }
            self.descriptor = descriptor
        case .address(let address): descriptor = try ListeningSocket.open(address)
        }
        self.stop = stop
        // Another thread or process may accept the connection that woke this thread.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        do {
            ready = try ReadySet()
            try ready.watch(descriptor, tag: Self.listeningTag, .always)
            try ready.watch(stop.descriptor, tag: Self.stopTag, .always)
        } catch {
            throw .cannotWatch(error)
        }
    }

    deinit { close(descriptor) }

    /// Waits for a connection with a request. The caller then holds the connection.
    ///
    /// - Parameter connection: The connection that the caller held so far. Its request ends: the rest of the response
    ///   is sent. The connection is closed if the web server does not keep it, if it is broken, or if the stop event is
    ///   set.
    /// - Returns: Nil once the stop event is set and no request is waiting, not even the first one on an accepted
    ///   connection.
    public func accept(after connection: FastCGIConnection? = nil) -> FastCGIConnection? {
        if let connection { release(connection) }
        RunnableThreads.rest()
        var sawStop = false
        var end: ContinuousClock.Instant?
        while true {
            let (tag, isLast) = ready.next()
            if tag == Self.stopTag {
                // Ready descriptors are reported in turn, so two stop events in a row mean that no request waits.
                if sawStop {
                    let last = end ?? .now + Self.firstRequestGracePeriod
                    guard firstRequestComes(before: last) else { return nil }
                    end = last
                }
                sawStop = true
                ready.forget(descriptor)
                continue
            }
            sawStop = false
            let taken = tag == Self.listeningTag ? acceptConnection() : take(ConnectionSlot.tagged(tag), isLast)
            if let taken { return taken }
        }
    }

    /// Removes a connection from the listener and returns the rest of its response as a stream, or nil if the web
    /// server has closed the connection.
    public func detach(_ connection: FastCGIConnection) -> ResponseStream? {
        let stream = connection.detach()
        if let stream { ready.forget(stream.descriptor) }
        remove(connection)
        return stream
    }

    /// Ends the request on a connection and returns the connection to the idle set, or closes it.
    public func release(_ connection: FastCGIConnection) {
        if connection.finish(), !stop.isSet, (try? watch(connection)) != nil { return }
        remove(connection)
    }

    /// Closes a connection that the caller holds, unless it is already closed, and empties its slot.
    private func remove(_ connection: FastCGIConnection) {
        let slot = connection.slot
        connection.end()
        slot.empty()
        slots.withLock { $0.vacant.append(slot) }
    }

    private func firstRequestComes(before end: ContinuousClock.Instant) -> Bool {
        let awaited = new.withLock { Array($0) }
        let remaining = end - .now
        return !awaited.isEmpty && remaining > .zero && Poll.readable(awaited, upTo: remaining) != nil
    }

    /// Takes a connection whose slot was reported, and receives the bytes that have arrived. Returns nil if another
    /// thread holds it or has already received them, or if the connection has ended.
    ///
    /// - Parameter isLast: True if the web server sends nothing after these bytes.
    private func take(_ slot: ConnectionSlot, _ isLast: Bool) -> FastCGIConnection? {
        guard slot.take(), let connection = slot.connection else { return nil }
        if isLast { connection.isUsedOnce = true }
        let arrival = connection.receive()
        if arrival == .nothing, (try? watch(connection)) != nil { return nil }
        if let descriptor = connection.firstReceived() { new.withLock { _ = $0.remove(descriptor) } }
        if arrival == .bytes { return connection }
        remove(connection)
        return nil
    }

    /// Watches a connection, and gives it back.
    private func watch(_ connection: FastCGIConnection) throws(SystemFailure) {
        let (descriptor, slot) = (connection.descriptor, connection.slot)
        if !slot.isWatched {
            try ready.watch(descriptor, tag: slot.tag, .arrivals)
            slot.isWatched = true
        } else if connection.mayHaveUnread {
            try ready.watchAgain(descriptor, tag: slot.tag)
        }
        while !slot.giveBack() { try ready.watchAgain(descriptor, tag: slot.tag) }
    }

    /// Accepts a connection. Returns it if its first request has already begun to arrive, which is usual.
    private func acceptConnection() -> FastCGIConnection? {
        let accepted = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        guard accepted >= 0 else {
            // The process is out of descriptors or memory, which requests in flight will release.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { _ = stop.wait(upTo: .milliseconds(100)) }
            return nil
        }
        let slot = slots.withLock { slots in
            if let vacant = slots.vacant.popLast() { return vacant }
            let added = ConnectionSlot()
            slots.all.append(added)
            return added
        }
        let connection = FastCGIConnection(takingOwnership: accepted, in: slot)
        if connection.receive() == .bytes {
            _ = connection.firstReceived()
            return connection
        }
        new.withLock { _ = $0.insert(accepted) }
        do {
            try watch(connection)
        } catch {
            new.withLock { _ = $0.remove(accepted) }
            remove(connection)
        }
        return nil
    }
}

/// The reason for which a listening socket could not be opened.
public enum ListenerFailure: Error, Sendable, CustomStringConvertible {
    case notListening(descriptor: Int32)
    case addressTooLong(String)
    case noPort(String)
    case unknownHost(String)
    case cannotOpen(String, SystemFailure)
    case cannotWatch(SystemFailure)

    public var description: String {
        switch self {
        case .notListening(let descriptor):
            "descriptor \(descriptor) is not a listening socket; start it with spawn-fcgi, or set ALMANAC_LISTEN"
        case .addressTooLong(let address): "cannot listen on \(address): a Unix socket's path has at most 107 bytes"
        case .noPort(let address):
            "cannot listen on \(address): expected host:port with a port from 1 to 65535, or a path"
        case .unknownHost(let address): "cannot listen on \(address): the host is unknown"
        case .cannotOpen(let address, let failure): "cannot listen on \(address): \(failure)"
        case .cannotWatch(let failure): "cannot watch the listening socket: \(failure)"
        }
    }
}

/// Initialises libfcgi once per process.
private let libraryIsReady: Void = {
    FCGX_Init()
}()
