internal import AlmanacPOSIX
internal import Glibc

/// A file without a name, removed when it is closed.
final class ScratchFile: Sendable {
    let descriptor: Int32

    /// - Parameter contents: written to the file, which is then read from its start.
    init(contents: [UInt8] = []) throws(SystemFailure) {
        let name = "/tmp/almanac-test-\(UInt64.random(in: 0 ... .max))"
        descriptor = unsafe open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        if descriptor < 0 { throw .last }
        unsafe unlink(name)
        var written = 0
        while written < contents.count {
            let unwritten = contents[written...]
            let count = unsafe unwritten.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress!, $0.count) }
            if count < 0 { throw .last }
            written += count
        }
        lseek(descriptor, 0, SEEK_SET)
    }

    deinit { close(descriptor) }

    /// The whole contents. Reading them does not move the descriptor's position.
    var contents: [UInt8] {
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe pread(descriptor, &chunk, chunk.count, contents.count)
            if count <= 0 { return contents }
            contents += chunk[..<count]
        }
    }
}
