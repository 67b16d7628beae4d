internal import AlmanacImporting
internal import AlmanacJSON
internal import AlmanacTargeting
internal import AlmanacYAML

/// The files of another flag system, in JSON or YAML.
enum SourceFiles {
    private static let maxBytes = 64 << 20
    /// A value needs up to 100 bytes of memory, so this limit bounds the memory.
    private static let maxValues = 5_000_000
    private static let maxDepth = 64

    /// Reads and parses files. A YAML file may have several documents, each of which counts as a file.
    static func read(_ paths: [String]) throws -> [SourceFile] {
        var files: [SourceFile] = []
        var room = maxBytes
        for path in paths {
            let bytes = try InputFile.read(path)
            room -= bytes.count
            guard room >= 0 else {
                throw CommandFailure(description: "\(path): the files have more than \(maxBytes) bytes together")
            }
            files += try parsed(bytes, path == "-" ? "standard input" : path)
        }
        return files
    }

    /// Parses a file. The name's ending decides between JSON and YAML, or else the first character.
    static func parsed(_ bytes: [UInt8], _ name: String) throws -> [SourceFile] {
        let isYAML =
            name.hasSuffix(".yaml") || name.hasSuffix(".yml")
            || !name.hasSuffix(".json") && bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } != UInt8(ascii: "{")
                && bytes.first { !" \t\r\n\u{FEFF}".utf8.contains($0) } != UInt8(ascii: "[")
        do {
            guard isYAML else { return [SourceFile(name: name, content: try json(bytes))] }
            var limits = YAMLReader.Limits()
            (limits.bytes, limits.values, limits.depth) = (maxBytes, maxValues, maxDepth)
            let documents = try YAMLReader.documents(bytes, limits: limits)
            guard !documents.isEmpty else { throw CommandFailure(description: "the file has no content") }
            return try documents.enumerated().map { index, document in
                SourceFile(
                    name: documents.count == 1 ? name : "\(name) (document \(index + 1))",
                    content: try json(document.serialized()))
            }
        } catch {
            throw CommandFailure(description: "\(name): \(error)")
        }
    }

    private static func json(_ text: [UInt8]) throws -> FlagValue {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let bytes = text.starts(with: mark) ? Array(text[3...]) : text
        var limits = JSONLimits()
        (limits.bytes, limits.depth, limits.values) = (.max, maxDepth, maxValues)
        _ = try JSONSize(of: bytes, limits: limits)
        do throws(JSONFault) {
            return try FlagValue(json: bytes, maxDepth: maxDepth)
        } catch {
            throw CommandFailure(description: error.message)
        }
    }
}
