/// Names of files, each once, also where letter case and the way in which accents are written make no difference.
struct FileNames {
    private var taken: Set<String> = []

    /// Makes a name that was not made before, by a number behind it where it has to be.
    mutating func unique(_ stem: String, _ ending: String) -> String {
        var count = 0
        while true {
            let name = stem + (count == 0 ? "" : "-\(count)") + ending
            if taken.insert(Self.folded(name)).inserted { return name }
            count += 1
        }
    }

    /// A text in lower case, character by character, as the page does it.
    static func lowered(_ text: String) -> String {
        text.unicodeScalars.map { $0.properties.lowercaseMapping }.joined()
    }

    /// A text as it is compared where letter case and the way in which accents are written make no difference.
    static func folded(_ text: String) -> String {
        // Texts are equal in Swift whichever way their accents are written.
        lowered(text.unicodeScalars.map { $0.properties.uppercaseMapping }.joined())
    }

    private static let devices: Set<String> = {
        let ports = "0123456789\u{B9}\u{B2}\u{B3}".flatMap { ["com\($0)", "lpt\($0)"] }
        return Set(["con", "prn", "aux", "nul", "conin$", "conout$"] + ports)
    }()

    /// How many units a name begins with that Windows keeps for a device, also in front of an ending; nil for none.
    static func device(_ name: [UInt16]) -> Int? {
        let stem = name.prefix { $0 != 46 }
        let count = stem.count - stem.reversed().prefix { $0 == 32 }.count
        return devices.contains(lowered(String(decoding: stem.prefix(count), as: UTF16.self))) ? count : nil
    }

    /// Makes a title the name of a file: allowed on every system, and still readable.
    static func name(of title: String) -> String {
        var units = title.utf16.map { unit in
            unit < 32 || "/<>:'\"\\|?*#".utf16.contains(unit) ? UInt16(95) : unit
        }
        if title == "." || title == ".." { return "___" }
        units = Array(units.drop { $0 == 32 })
        // Files of Macs' own begin like this, and imports leave them out.
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

    /// The first units of a text, without half a pair of surrogates at the end.
    static func cut(_ units: [UInt16], _ count: Int) -> String {
        var units = units.prefix(count)
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return String(decoding: units, as: UTF16.self)
    }
}
