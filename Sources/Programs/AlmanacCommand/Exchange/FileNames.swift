/// Unique names of files, for file systems that ignore letter case and the normalisation of accents.
struct FileNames {
    private var used: Set<String> = []

    /// Returns an unused name, with a number appended if necessary.
    mutating func unique(_ stem: String, _ ending: String) -> String {
        var count = 0
        while true {
            let name = stem + (count == 0 ? "" : "-\(count)") + ending
            if used.insert(Self.folded(name)).inserted { return name }
            count += 1
        }
    }

    /// Lower-cases a text character by character, as the notes page does.
    static func lowered(_ text: String) -> String {
        text.unicodeScalars.map { $0.properties.lowercaseMapping }.joined()
    }

    /// Returns the form of a text for comparisons that ignore letter case and the normalisation of accents.
    static func folded(_ text: String) -> String {
        // Normalisation needs no code, because Swift compares strings by canonical equivalence.
        lowered(text.unicodeScalars.map { $0.properties.uppercaseMapping }.joined())
    }

    private static let devices: Set<String> = {
        let ports = "0123456789\u{B9}\u{B2}\u{B3}".flatMap { ["com\($0)", "lpt\($0)"] }
        return Set(["con", "prn", "aux", "nul", "conin$", "conout$"] + ports)
    }()

    /// Returns the length of the device name that a file name begins with on Windows, in UTF-16 units; nil for none. An
    /// extension makes no difference.
    static func device(_ name: [UInt16]) -> Int? {
        let stem = name.prefix { $0 != 46 }
        let count = stem.count - stem.reversed().prefix { $0 == 32 }.count
        return devices.contains(lowered(String(decoding: stem.prefix(count), as: UTF16.self))) ? count : nil
    }

    /// Returns a readable file name for a title, valid on every system.
    static func name(of title: String) -> String {
        var units = title.utf16.map { unit in
            unit < 32 || "/<>:'\"\\|?*#".utf16.contains(unit) ? UInt16(95) : unit
        }
        if title == "." || title == ".." { return "___" }
        units = Array(units.drop { $0 == 32 })
        // macOS uses this prefix for its own files, which imports ignore.
        if units.starts(with: "._".utf16) { units[0] = 95 }
        units = Array(cut(units, 50).utf16)
        while units.last == 32 || units.last == 46 { units.removeLast() }
        if units.isEmpty { return "Untitled" }
        if let count = device(units) {
            if count == units.count { return "___" }
            units.insert(95, at: count)
        }
        return String(decoding: units, as: UTF16.self)
    }

    /// Returns the first units of a text, without half a surrogate pair at the end.
    static func cut(_ units: [UInt16], _ count: Int) -> String {
        var units = units.prefix(count)
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return String(decoding: units, as: UTF16.self)
    }
}
