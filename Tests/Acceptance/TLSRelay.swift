import Foundation
import Glibc
import POSIX
import Support

/// A plain port in front of the running instance, for clients that trust only the authorities of the system.
///
/// Each connection is handed over to an `openssl s_client`, which checks the instance's certificate. The relay ends
/// with the last reference to it.
final class TLSRelay: Sendable {
    let port: UInt16
    private let stop: Event

    init(to instance: Instance) throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        if listener < 0 { throw SystemFailure.last }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(INADDR_LOOPBACK).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isReady = unsafe withUnsafeMutablePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe bind(listener, address, length) == 0 && listen(listener, 64) == 0
                    && getsockname(listener, address, &length) == 0
            }
        }
        if !isReady { throw SystemFailure.last }
        port = UInt16(bigEndian: address.sin_port)
        stop = try Event()
        let stop = stop
        let target = String(instance.url.dropFirst("https://".count))
        let authority = instance.caFile
        _ = POSIX.Thread(name: "TLS relay") {
            while Poll.readable([stop.descriptor, listener]) == listener {
                let descriptor = accept(listener, nil, nil)
                if descriptor < 0 { break }
                let socket = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
                let client = Foundation.Process()
                client.executableURL = URL(filePath: "/usr/bin/openssl")
                client.arguments = [
                    "s_client", "-quiet", "-nocommands", "-no_ign_eof", "-verify_return_error", "-CAfile", authority,
                    "-servername", "localhost", "-connect", target,
                ]
                client.standardInput = socket
                client.standardOutput = socket
                client.standardError = FileHandle.nullDevice
                try? client.run()
            }
            close(listener)
        }
    }

    deinit {
        stop.set()
    }

    /// The address of an environment.
    func environment(_ name: String) -> String { "http://127.0.0.1:\(port)/\(name)" }
}
