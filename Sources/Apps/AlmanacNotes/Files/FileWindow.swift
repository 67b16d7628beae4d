/// The bytes of a file, of which a window is in memory.
final class FileWindow {
    /// The number of bytes in the file.
    let count: Int64
    private let file: OpenFile
    private let path: String
    private var window: [UInt8] = []
    /// The offset of the window's first byte.
    private var start: Int64 = 0

    private static let windowBytes = 256 << 10

    init(_ path: String) throws(FileFailure) {
        self.path = path
        file = try OpenFile(reading: path)
        count = try file.length()
    }

    /// Returns the byte at an offset; 0 after the end of the file.
    subscript(at: Int64) -> UInt8 {
        get throws(FileFailure) {
            if at >= count { return 0 }
            try move(to: at)
            return window[Int(at - start)]
        }
    }

    /// Returns the bytes from an offset on that are in the window: at least one, or none at the end of the range or
    /// file.
    func part(_ from: Int64, _ end: Int64) throws(FileFailure) -> ArraySlice<UInt8> {
        let end = min(end, count)
        if from >= end { return [] }
        try move(to: from)
        return window[Int(from - start)..<min(Int(clamping: end - start), window.count)]
    }

    /// Returns the number of 1 to 4 bytes at an offset. Bytes after the end of the file are 0.
    func number(_ at: Int64, bytes: Int64, isLittle: Bool = false) throws(FileFailure) -> Int64 {
        var number: Int64 = 0
        for index in 0..<bytes {
            number |= Int64(try self[at + index]) << (8 * (isLittle ? index : bytes - 1 - index))
        }
        return number
    }

    /// Returns the text of ASCII bytes at an offset, shorter at the end of the file.
    func text(_ at: Int64, bytes: Int64) throws(FileFailure) -> String {
        var text: [UInt8] = []
        for index in at..<min(at + bytes, max(at, count)) { text.append(try self[index]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns true if an ASCII text is at an offset and ends before another offset.
    func has(_ text: String, at: Int64, before end: Int64) throws(FileFailure) -> Bool {
        guard at + Int64(text.utf8.count) <= min(end, count) else { return false }
        for (index, byte) in text.utf8.enumerated() where try self[at + Int64(index)] != byte { return false }
        return true
    }

    /// Returns the offset of the first byte with a value, from an offset on; nil if there is none.
    func firstIndex(of byte: UInt8, from: Int64) throws(FileFailure) -> Int64? {
        var at = from
        while case let part = try part(at, count), !part.isEmpty {
            if let found = part.firstIndex(of: byte) { return start + Int64(found) }
            at += Int64(part.count)
        }
        return nil
    }

    /// Reads the part of the file that begins at an offset, unless the byte there is in the window.
    private func move(to at: Int64) throws(FileFailure) {
        if at >= start, at < start + Int64(window.count) { return }
        window = try file.read(at: at, upTo: min(Self.windowBytes, Int(clamping: count - at)))
        start = at
        if window.isEmpty { throw OpenFile.shortened(path) }
    }
}
