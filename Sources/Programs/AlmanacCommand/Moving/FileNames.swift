/// Names of files, each once, also where upper and lower case are the same.
struct FileNames {
    // By bytes: two names that only look the same are two.
    private var taken: Set<[UInt8]> = []

    /// - Parameter path: without its ending.
    mutating func unique(
        _ path: String, _ ending: String, suffix: (Int) -> String = { "-\($0)" }
    ) -> String {
        var count = 0
        while true {
            let name = path + (count == 0 ? "" : suffix(count)) + ending
            if taken.insert(Array(Self.lowered(name).utf8)).inserted { return name }
            count += 1
        }
    }

    /// A text in lower case, character by character, as the page does it.
    static func lowered(_ text: String) -> String {
        text.unicodeScalars.map { $0.properties.lowercaseMapping }.joined()
    }

    private static let reserved: Set<String> = {
        let ports = (1...9).flatMap { ["com\($0)", "lpt\($0)"] }
        return Set([".", "..", "con", "prn", "aux", "nul"] + ports)
    }()

    /// A title as the name of a file, as Joplin makes it: on every system, and still readable.
    static func name(of title: String) -> String {
        var units = title.utf16.map { unit in
            unit < 32 || "/<>:'\"\\|?*#".utf16.contains(unit) ? UInt16(95) : unit
        }
        if reserved.contains(lowered(String(decoding: units, as: UTF16.self))) { units = Array("___".utf16) }
        while units.last == 32 || units.last == 46 { units.removeLast() }
        units = Array(units.drop { $0 == 32 })
        return units.isEmpty ? "Untitled" : cut(units, 50)
    }

    /// The first units of a text, without half a pair of surrogates at the end.
    static func cut(_ units: [UInt16], _ count: Int) -> String {
        var units = units.prefix(count)
        if let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
        return String(decoding: units, as: UTF16.self)
    }
}
