#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A file that is replaced atomically and has a checksum.
///
/// The first line has the kind, the payload's length and its checksum: `almanac config 1 4711 9ae16a3b2f90404f`.
package struct ChecksummedFile: Sendable {
    package let url: URL
    /// The kind and version of the payload: `config 1`.
    package let kind: String

    /// The upper bound of the file's size, in bytes. A larger file was not written by this library.
    private static let sizeLimit = 256 << 20

    package init(url: URL, kind: String) {
        self.url = url
        self.kind = kind
    }

    /// Reads the payload. Returns nil if there is no file.
    package func read() throws(ChecksummedFileFailure) -> Data? {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            if !FileManager.default.fileExists(atPath: url.path) { return nil }
            throw .unreadable("\(error)")
        }
        let type = attributes[.type] as? FileAttributeType
        let size = (attributes[.size] as? Int) ?? 0
        // Reading a pipe or a device could block forever.
        if type != .typeRegular, type != .typeSymbolicLink { throw .wrongKind }
        if size > Self.sizeLimit { throw .wrongKind }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw .unreadable("\(error)")
        }
        return try open(data)
    }

    /// Replaces the file atomically; on failure the old file remains.
    package func write(_ payload: Data) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let seal = "almanac \(kind) \(payload.count) \(Self.checksum(payload))\n"
        try (Data(seal.utf8) + payload).write(to: url, options: .atomic)
    }

    private func open(_ data: Data) throws(ChecksummedFileFailure) -> Data {
        guard let end = data.prefix(256).firstIndex(of: UInt8(ascii: "\n")) else { throw .wrongKind }
        let words = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
        let payload = Data(data[(end + 1)...])
        guard words.count >= 3, words.dropLast(2).joined(separator: " ") == "almanac \(kind)" else { throw .wrongKind }
        guard words.suffix(2).elementsEqual(["\(payload.count)", Self.checksum(payload)[...]]) else { throw .corrupt }
        return payload
    }

    /// Returns the FNV-1a hash, 64 bits, in hexadecimal. The hash detects damage, not forgery: a process that can write
    /// the file can also compute the hash.
    private static func checksum(_ data: Data) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

/// A failure to read a file.
package enum ChecksummedFileFailure: Error, Equatable, CustomStringConvertible {
    /// The file is of another kind or version.
    case wrongKind
    /// The file was truncated or changed after it was written.
    case corrupt
    case unreadable(String)

    package var description: String {
        switch self {
        case .wrongKind: "the file has another kind or a newer version"
        case .corrupt: "the file is damaged"
        case .unreadable(let reason): "the file can't be read: \(reason)"
        }
    }
}
