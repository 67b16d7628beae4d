import AlmanacFastCGI
import AlmanacPOSIX
import AlmanacTestSupport
import Glibc
import Testing

@Suite struct ListenerTests {
    private let folder: TemporaryFolder
    private let stop: Event

    init() throws { (folder, stop) = try (TemporaryFolder(), Event()) }

    private func failure(_ place: Listener.Source) -> ListenerFailure? {
        #expect(throws: ListenerFailure.self) { _ = try Listener(place, stop: stop) }
    }

    @Test func `a descriptor that doesn't listen is refused`() throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let file = unsafe open("/dev/null", O_RDONLY)
        defer { for descriptor in [descriptor, file] { close(descriptor) } }
        for descriptor in [descriptor, file, -1, 9999] {
            let description = failure(.inherited(descriptor: descriptor))?.description
            #expect(description?.contains("descriptor \(descriptor) ") == true)
        }
    }

    @Test func `a listening descriptor is taken over`() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        #expect(Glibc.listen(descriptor, 5) == 0)
        let listener = try Listener(.inherited(descriptor: descriptor), stop: stop)
        stop.set()
        #expect(listener.accept() == nil)
    }

    @Test(arguments: [107, 108, 300])
    func `a path longer than the system takes is refused`(length: Int) throws {
        let path = "\(folder.path)/" + String(repeating: "x", count: length - folder.path.utf8.count - 1)
        if length <= 107 {
            #expect(throws: Never.self) { _ = try Listener(.address(path), stop: stop) }
        } else {
            #expect(failure(.address(path))?.description.contains("at most 107 bytes") == true)
        }
    }

    @Test(
        arguments: [
            ("/nowhere/at/all/socket", "No such file or directory"), ("", "Invalid argument"),
            ("localhost:", "1 to 65535"), ("localhost:0", "1 to 65535"), ("localhost:65536", "1 to 65535"),
            ("localhost:http", "1 to 65535"), (":-1", "1 to 65535"), ("no.such.host.invalid:9000", "host is unknown"),
            ("203.0.113.7:9000", "Cannot assign"),
        ])
    func `an address that can't be listened on is named, with the reason`(address: String, reason: String) {
        let description = failure(.address(address))?.description ?? ""
        #expect(description.hasPrefix("cannot listen on \(address): "))
        #expect(description.contains(reason), "\(description)")
    }

    @Test func `the socket of a server that is gone is replaced`() throws {
        let path = "\(folder.path)/socket"
        do { _ = try Listener(.address(path), stop: stop) }
        // A process that another test starts at this moment has the socket until it runs its program.
        #expect(eventually { (try? WebServerConnection(path: path)) == nil })
        let application = try Listener(.address(path), stop: stop)
        #expect(throws: Never.self) { _ = try WebServerConnection(path: path) }
        withExtendedLifetime(application) {}
    }

    @Test func `the socket of a server that is there stays its own`() throws {
        let application = try Application()
        #expect(failure(.address(application.path))?.description.contains("Address already in use") == true)
        #expect(try application.connect().fetch(WebServerRequest(body: [65])).text.hasSuffix("\nA"))
    }

    @Test func `a file that is no socket is left alone`() throws {
        let path = try folder.write("precious", [1, 2, 3])
        #expect(failure(.address(path))?.description.contains("Address already in use") == true)
        #expect(try File.read(path) == [1, 2, 3])
    }

    private static let hasIPv6 = (try? File.read("/proc/net/if_inet6"))?.isEmpty == false

    @Test(arguments: ["127.0.0.1", "localhost", ""] + (hasIPv6 ? ["[::1]"] : []))
    func `a port can be listened on once`(host: String) throws {
        // The port is below the range from which the kernel assigns ports.
        let port = Int.random(in: 20_000...30_000)
        let listener = try Listener(.address("\(host):\(port)"), stop: stop)
        #expect(failure(.address("\(host):\(port)"))?.description.contains("Address already in use") == true)
        withExtendedLifetime(listener) {}
    }
}
