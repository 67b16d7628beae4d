internal import AlmanacCFastCGI
internal import AlmanacCLinux
public import AlmanacPOSIX
public import AlmanacResponseStreams
internal import Glibc
internal import Synchronization

/// A listening socket and the FastCGI connections accepted from it, shared by the threads that answer requests.
///
/// A thread holds a connection while a request is on it; then the connection waits among the others. So the web server
/// may keep open as many as it likes, whatever the number of threads, and a thread that has answered takes up whatever
/// has come meanwhile, on any of them, without having slept. Several processes may listen on one socket.
public final class Listener: Sendable {
    private let descriptor: Int32
    private let stop: Event
    private let ready: ReadySet
    private let pipes = HeadPipes()
    /// Every connection that is open, whether a thread holds it or not. Touched only when one is opened or closed.
    ///
    /// Invariant: a connection is in here for as long as `ready` watches its descriptor, so that its tag, which is its
    /// address, leads to it.
    private let open = Mutex<[ObjectIdentifier: FastCGIConnection]>([:])
    /// The descriptors of connections that have not carried a request yet.
    ///
    /// Invariant: each is one of an open connection that `ready` watches, or will in a moment.
    private let new = Mutex<Set<Int32>>([])
    /// How long to wait, once the stop event is set, for the first request of a connection that had been accepted: the
    /// web server has connected for that request alone, and would not dare to send every one again.
    private static let grace = Duration.seconds(2)

    /// The tags of the two descriptors that are no connections. No object has such an address.
    private static let listeningTag: UInt = 1
    private static let stopTag: UInt = 2

    /// Where to listen.
    public enum Place: Sendable {
        /// A listening socket that the process was started with, as spawn-fcgi hands it over: descriptor 0.
        case inherited(descriptor: Int32)
        /// `host:port` or `:port` (every interface) for TCP, a path for a Unix socket.
        case address(String)
    }

    /// Opens or takes over a listening socket.
    ///
    /// - Parameter stop: once it is set, nothing is accepted any more and `accept` returns nil when no request is
    ///   waiting.
    public init(_ place: Place, stop: Event) throws(ListenerFailure) {
        libraryIsReady
        switch place {
        case .inherited(let descriptor):
            var listens: Int32 = 0
            var size = socklen_t(MemoryLayout<Int32>.size)
            guard unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) == 0, listens == 1 else {
                throw .notListening(descriptor: descriptor)
            }
            self.descriptor = descriptor
        case .address(let address):
            descriptor = try ListeningSocket.open(address)
        }
        self.stop = stop
        // Another thread or process may take the connection that woke this one.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
        do {
            ready = try ReadySet()
            try ready.watch(descriptor, tag: Self.listeningTag, .always)
            try ready.watch(stop.descriptor, tag: Self.stopTag, .always)
        } catch {
            throw .cannotWatch(error)
        }
    }

    deinit {
        close(descriptor)
    }

    /// Waits for a connection with a request on it, which the caller then holds.
    ///
    /// - Parameter connection: the one that the caller has held so far. The request on it ends: what is left of the
    ///   response is sent. It is closed when the web server does not keep it, when it is broken, and when the stop
    ///   event is set.
    /// - Returns: nil once the stop event is set and no request is waiting, nor the first one of a connection on its
    ///   way.
    public func accept(after connection: FastCGIConnection? = nil) -> FastCGIConnection? {
        if let connection { giveBack(connection) }
        var sawStop = false
        var end: ContinuousClock.Instant?
        while true {
            let tag = ready.next()
            if tag == Self.stopTag {
                // Ready descriptors are reported in turn: twice in a row means that no request is waiting.
                if sawStop {
                    let last = end ?? .now + Self.grace
                    guard firstRequestComes(before: last) else { return nil }
                    end = last
                }
                sawStop = true
                ready.forget(descriptor)
                continue
            }
            sawStop = false
            if tag != Self.listeningTag { return handedOver(FastCGIConnection.tagged(tag)) }
            admit()
        }
    }

    /// Takes a connection from the listener, with a response on it that goes on.
    ///
    /// - Returns: nil when the web server has closed it.
    public func detach(_ connection: FastCGIConnection) -> ResponseStream? {
        let stream = connection.detach()
        if let stream { ready.forget(stream.descriptor) }
        open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
        return stream
    }

    /// Ends the request on a connection; then lets the connection wait for the next one among the others, or lets go of
    /// it.
    public func giveBack(_ connection: FastCGIConnection) {
        if let descriptor = connection.finish(), !stop.isSet,
            (try? ready.watchAgain(descriptor, tag: connection.tag)) != nil
        {
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

    private func admit() {
        let accepted = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
        guard accepted >= 0 else {
            // Out of descriptors or memory: connections in flight will give some back.
            if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { _ = stop.wait(upTo: .milliseconds(100)) }
            return
        }
        let connection = FastCGIConnection(takingOwnership: accepted, pipes: pipes)
        open.withLock { $0[ObjectIdentifier(connection)] = connection }
        new.withLock { _ = $0.insert(accepted) }
        do {
            try ready.watch(accepted, tag: connection.tag, .once)
        } catch {
            new.withLock { _ = $0.remove(accepted) }
            open.withLock { _ = $0.removeValue(forKey: ObjectIdentifier(connection)) }
        }
    }
}

/// Why a listening socket could not be had.
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
            "descriptor \(descriptor) is no listening socket: start under spawn-fcgi, or set ALMANAC_LISTEN"
        case .addressTooLong(let address):
            "cannot listen on \(address): a Unix socket's path has at most 107 bytes"
        case .noPort(let address):
            "cannot listen on \(address): expected host:port with a port from 1 to 65535, or a path"
        case .unknownHost(let address):
            "cannot listen on \(address): its host is not known"
        case .cannotOpen(let address, let failure):
            "cannot listen on \(address): \(failure)"
        case .cannotWatch(let failure):
            "cannot watch the listening socket: \(failure)"
        }
    }
}

/// Initialises libfcgi, once in the process.
private let libraryIsReady: Void = {
    FCGX_Init()
}()
