#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// A file that is replaced as a whole and knows whether it is whole.
///
/// It starts with a line of its kind, the length of the rest and a checksum of it:
/// `almanac config 1 4711 9ae16a3b2f90404f`.
package struct SealedFile: Sendable {
    package let url: URL
    /// The kind of the content, with the version of its form: `config 1`.
    package let kind: String

    /// A file this large was not written here.
    private static let sizeLimit = 256 << 20

    package init(url: URL, kind: String) {
        self.url = url
        self.kind = kind
    }

    /// - Returns: nil when there is no file.
    package func read() throws(SealedFileFailure) -> Data? {
        let attributes: [FileAttributeKey: Any]
        do {
            attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        } catch {
            if !FileManager.default.fileExists(atPath: url.path) { return nil }
            throw .unreadable("\(error)")
        }
        let type = attributes[.type] as? FileAttributeType
        let size = (attributes[.size] as? Int) ?? 0
        // A pipe or a device in its place would keep the app waiting for ever.
        if type != .typeRegular, type != .typeSymbolicLink { throw .foreign }
        if size > Self.sizeLimit { throw .foreign }
        let data: Data
        do {
            data = try Data(contentsOf: url)
        } catch {
            throw .unreadable("\(error)")
        }
        return try open(data)
    }

    /// Replaces the file; on failure the old one stays.
    package func write(_ payload: Data) throws {
        let folder = url.deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let seal = "almanac \(kind) \(payload.count) \(Self.checksum(payload))\n"
        try (Data(seal.utf8) + payload).write(to: url, options: .atomic)
    }

    private func open(_ data: Data) throws(SealedFileFailure) -> Data {
        guard let end = data.prefix(256).firstIndex(of: UInt8(ascii: "\n")) else { throw .foreign }
        let words = String(decoding: data[..<end], as: UTF8.self).split(separator: " ")
        let payload = Data(data[(end + 1)...])
        guard words.count >= 3, words.dropLast(2).joined(separator: " ") == "almanac \(kind)" else { throw .foreign }
        guard words.suffix(2).elementsEqual(["\(payload.count)", Self.checksum(payload)[...]]) else { throw .corrupt }
        return payload
    }

    /// FNV-1a with 64 bits: against broken files, not against forged ones. Whoever may write here could seal those too.
    private static func checksum(_ data: Data) -> String {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return String(hash, radix: 16)
    }
}

/// Why a file on the device can't be used.
package enum SealedFileFailure: Error, Equatable, CustomStringConvertible {
    /// It is not one of this library and this form.
    case foreign
    /// It was cut or changed since it was written.
    case corrupt
    case unreadable(String)

    package var description: String {
        switch self {
        case .foreign: "the file is of another kind or a newer version"
        case .corrupt: "the file is damaged"
        case .unreadable(let reason): "the file can't be read: \(reason)"
        }
    }
}
