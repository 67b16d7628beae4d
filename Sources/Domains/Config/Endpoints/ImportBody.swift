internal import AlmanacEnvironments
internal import AlmanacHTTP
internal import AlmanacImporting
internal import AlmanacJSON
internal import AlmanacTargeting

/// The body of an import: the files of another flag system, and the sides that win conflicts, as
/// `{"files": [{"name": "flags.json", "content": {…}}], "take": {"new-ui": "theirs"}}`.
struct ImportBody {
    let files: [SourceFile]
    /// The sides that win the conflicts of keys.
    let sides: [String: ImportSide]

    private static let maxFiles = 20
    private static let maxNameBytes = 200

    init(_ request: Request, for system: SourceSystem, _ limits: JSONLimits) throws {
        let command = "almanac import \(system.rawValue)"
        if let length = request.body.length, length > limits.bytes {
            throw Problem(
                .bodyTooLarge,
                "the files have \(length) bytes; the limit is \(limits.bytes). '\(command)' takes larger files")
        }
        try request.contains("application/json")
        let body = try Self.value(try request.bytes(limit: limits.bytes), request, command, limits)
        guard case .object(let object) = body, object.members.allSatisfy({ ["files", "take"].contains($0.name) }),
            case .array(let elements)? = object["files"], (1...Self.maxFiles).contains(elements.count)
        else {
            throw Problem(
                .invalidValue,
                "expected an object with 'files', an array of 1 to \(Self.maxFiles) files, and perhaps 'take'")
        }
        files = try elements.map { try Self.file($0, command) }
        sides = try Self.sides(object["take"])
    }

    /// Parses the body, after its size is checked.
    private static func value(
        _ bytes: [UInt8], _ request: Request, _ command: String, _ limits: JSONLimits
    ) throws(Problem) -> FlagValue {
        let size: JSONSize
        do throws(JSONFailure) {
            size = try JSONSize(of: bytes, limits: limits)
        } catch {
            throw Problem(.limitExceeded, "\(error); '\(command)' takes larger files")
        }
        // The translation and the response take about as much memory as the parsed body.
        try request.memory.reserve(2 * size.memory)
        do throws(JSONFault) {
            return try FlagValue(json: bytes)
        } catch {
            throw Problem(.invalidJSON, "the body is not valid JSON: \(error.message)")
        }
    }

    private static func file(_ element: FlagValue, _ command: String) throws(Problem) -> SourceFile {
        guard case .object(let file) = element, file.members.allSatisfy({ ["name", "content"].contains($0.name) }),
            case .string(let name)? = file["name"], (1...maxNameBytes).contains(name.utf8.count),
            let content = file["content"]
        else {
            throw Problem(
                .invalidValue,
                "a file must be an object with a 'name' of at most \(maxNameBytes) bytes, and its JSON as 'content'")
        }
        if case .string = content {
            throw Problem(
                .invalidValue, "the content of '\(name)' is a text; expected JSON. '\(command)' also reads YAML")
        }
        return SourceFile(name: name, content: content)
    }

    private static func sides(_ value: FlagValue?) throws(Problem) -> [String: ImportSide] {
        let wrong = Problem(.invalidValue, "'take' must be an object with 'mine' or 'theirs' for each key")
        switch value {
        case nil, .null?: return [:]
        case .object(let object)?:
            var sides: [String: ImportSide] = [:]
            for member in object.members {
                guard case .string(let name) = member.value, let side = ImportSide(rawValue: name) else { throw wrong }
                sides[member.name] = side
            }
            return sides
        default: throw wrong
        }
    }
}
