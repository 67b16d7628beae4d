/// The name of a note's text file, as Simplenote makes it of the first line that can be one.
enum SimplenoteFileName {
    static func of(_ text: String) -> String {
        for line in text.utf16.split(separator: 10) {
            let name = trimmed(line).filter { !isIllegal($0) }
            guard FileNames.device(name) == nil else { continue }
            let clean = name.reversed().drop { $0 == 46 || $0 == 32 }.reversed()
            guard !clean.isEmpty else { continue }
            let units = FileNames.cut(Array(clean), 40).utf16.map { unit in
                ".,:() []".utf16.contains(unit) ? UInt16(45) : unit
            }
            return String(decoding: units, as: UTF16.self)
        }
        return "untitled"
    }

    private static func isIllegal(_ unit: UInt16) -> Bool {
        unit < 32 || (0x80...0x9F).contains(unit) || "/?<>\\:*|\"".utf16.contains(unit)
    }

    /// Without the spaces that JavaScript's `trim` takes away.
    private static func trimmed(_ line: Substring.UTF16View) -> [UInt16] {
        let line = line.drop(while: isSpace)
        return Array(line.reversed().drop(while: isSpace).reversed())
    }

    private static func isSpace(_ unit: UInt16) -> Bool {
        switch unit {
        case 9...13, 32, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF: true
        default: false
        }
    }
}
