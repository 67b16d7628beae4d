internal import CFastCGI
internal import CLinux
internal import Glibc
public import POSIX
internal import Synchronization

/// A listening socket that FastCGI connections are accepted from, by many threads and possibly by several processes.
public final class Listener: Sendable {
    private let descriptor: Int32
    private let stop: Event
    /// Held by the one thread that waits for the next connection, so that a connection wakes one thread only.
    private let turn = Mutex<Void>(())

    /// Where to listen.
    public enum Place: Sendable {
        /// A listening socket that the process was started with, as spawn-fcgi hands it over: descriptor 0.
        case inherited(descriptor: Int32)
        /// `host:port` or `:port` (every interface) for TCP, a path for a Unix socket.
        case address(String)
    }

    /// Opens or takes over a listening socket.
    ///
    /// - Parameter stop: once it is set, `accept` returns nil and idle connections are closed.
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
        // Another process may take the connection that poll told of; accept must not wait for the next one.
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL, 0) | O_NONBLOCK)
    }

    deinit {
        close(descriptor)
    }

    /// Waits for the next connection; nil once the stop event is set.
    public func accept() -> Connection? {
        turn.withLock { _ in
            while Poll.readable([stop.descriptor, descriptor]) == descriptor {
                let accepted = accept4(descriptor, nil, nil, Int32(SOCK_CLOEXEC.rawValue))
                if accepted >= 0 { return Connection(takingOwnership: accepted, stop: stop) }
                // Out of descriptors or memory: connections in flight will give some back.
                if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) { _ = stop.wait(upTo: .milliseconds(100)) }
            }
            return nil
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
        }
    }
}

/// Initialises libfcgi, once in the process.
private let libraryIsReady: Void = {
    FCGX_Init()
}()
