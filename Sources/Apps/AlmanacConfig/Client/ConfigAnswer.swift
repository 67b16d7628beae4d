internal import AlmanacRevisions
internal import Foundation

/// Makes a snapshot of what the server answered, or says why it must not.
struct ConfigAnswer {
    let environment: String
    let pin: String?
    /// What the request named in `since`; nil when it asked for the whole config.
    let base: ConfigSnapshot?
    let date: Date

    func snapshot(_ response: TransportResponse, body: Data) throws(ConfigFailure) -> ConfigSnapshot {
        guard response.status == 200 else { throw Self.refusal(response, body: body, now: date) }
        guard let cursor = response.header("Almanac-Cursor").flatMap({ Cursor($0) }), let lineage = cursor.lineage,
            let version = response.header("Almanac-Version")
        else { throw .unexpectedAnswer("expected the headers Almanac-Cursor and Almanac-Version") }
        if let pin, response.header("Almanac-Major") != pin.split(separator: ".").first.map(String.init) {
            throw .unexpectedAnswer("expected the header Almanac-Major to name the pinned version \(pin)")
        }
        let isFull = base == nil || response.header("Almanac-Full") == "true"
        if let base {
            if lineage == base.cursor.lineage, cursor.revision < base.cursor.revision {
                throw .olderRevision(seen: base.cursor.revision, answered: cursor.revision)
            }
            if !isFull, lineage != base.cursor.lineage { throw .anotherHistory }
        }
        var entries = isFull ? [:] : base?.entries ?? [:]
        for (key, value) in try Self.changes(in: Array(body)[...]) { entries[key] = value }
        return ConfigSnapshot(
            environment: environment, pin: pin, cursor: cursor, version: version, fetchedAt: date, entries: entries)
    }

    /// The keys of an answer with their values, nil for a tombstone.
    private static func changes(
        in body: ArraySlice<UInt8>
    ) throws(ConfigFailure) -> [(key: String, value: ConfigValue?)] {
        do {
            return try JSONScanner.elements(in: body).map { element throws(JSONScanner.Fault) in
                try change(JSONScanner.members(in: element), at: element.startIndex)
            }
        } catch {
            throw .unexpectedAnswer("expected \(error.expected) at byte \(error.offset) of the config")
        }
    }

    private static func change(
        _ members: [(name: String, value: ArraySlice<UInt8>)], at offset: Int
    ) throws(JSONScanner.Fault) -> (key: String, value: ConfigValue?) {
        var key: String?
        var value: String?
        var deleted = false
        for member in members {
            switch member.name {
            case "key": key = member.value.first == UInt8(ascii: "\"") ? JSONString.text(of: member.value) : nil
            case "value": value = String(validating: member.value, as: UTF8.self)
            case "deleted": deleted = member.value.elementsEqual("true".utf8)
            default: continue
            }
        }
        if let key, deleted { return (key, nil) }
        guard let key, let value, value != "null" else {
            throw JSONScanner.Fault(expected: "an entry with key and value", offset: offset)
        }
        return (key, ConfigValue(checked: value))
    }

    private static func refusal(_ response: TransportResponse, body: Data, now: Date) -> ConfigFailure {
        struct Problem: Decodable { var type: String }
        let type = (try? JSONDecoder().decode(Problem.self, from: body))?.type
        let prefix = "urn:almanac:problem:"
        let problem = type.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
        return .refused(
            status: response.status, problem: problem,
            retryAfter: response.header("Retry-After").flatMap { RetryAfter.duration($0, now: now) })
    }
}
