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
    /// Every open connection, held by a thread or idle. Changed only when a connection is opened or closed.
    ///
    /// Invariant: a connection is in here for as long as `ready` watches its descriptor, so that its tag, which is its
    /// address, leads to it.
    private let open = Mutex<[ObjectIdentifier: FastCGIConnection]>([:])
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
            let tag = ready.next()
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
            if tag != Self.listeningTag { return handedOver(FastCGIConnection.tagged(tag)) }
            if let connection = acceptConnection() { return connection }
        }
    }

    /// Removes a connection from the listener and returns the rest of its response as a stream, or nil if the web
    /// server has closed the connection.
    public func detach(_ connection: FastCGIConnection) -> ResponseStream? {
        let stream = connection.detach()
        if let stream { ready.forget(stream.descriptor) }
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
        return stream
    }

    /// Ends the request on a connection and returns the connection to the idle set, or closes it.
    public func release(_ connection: FastCGIConnection) {
        if let descriptor = connection.finish(), !stop.isSet, (try? watch(descriptor, for: connection)) != nil {
            return
        }
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    private func firstRequestComes(before end: ContinuousClock.Instant) -> Bool {
        let awaited = new.withLock { Array($0) }
        let remaining = end - .now
        return !awaited.isEmpty && remaining > .zero && Poll.readable(awaited, upTo: remaining) != nil
    }

    private func handedOver(_ connection: FastCGIConnection) -> FastCGIConnection {
        if let descriptor = connection.firstHandedOver() { new.withLock { _ = $0.remove(descriptor) } }
        return connection
    }

    private func watch(_ descriptor: Int32, for connection: FastCGIConnection) throws(SystemFailure) {
        if connection.isWatched { return try ready.watchAgain(descriptor, tag: connection.tag) }
        // Another thread may hold the connection as soon as it is watched.
        connection.isWatched = true
        try ready.watch(descriptor, tag: connection.tag, .once)
    }

    /// Accepts a connection. Returns it if its first request has already begun to arrive, which is usual.
    private func acceptConnection() -> FastCGIConnection? {
        let accepted = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        guard accepted >= 0 else {
            // The process is out of descriptors or memory, which requests in flight will release.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { _ = stop.wait(upTo: .milliseconds(100)) }
            return nil
        }
        let connection = FastCGIConnection(takingOwnership: accepted)
        open.withLock { $0[ObjectIdentifier(connection)] = connection }
        if connection.receivesAtOnce() { return connection }
        new.withLock { _ = $0.insert(accepted) }
        do {
            try watch(accepted, for: connection)
        } catch {
            new.withLock { _ = $0.remove(accepted) }
            open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
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
