import AlmanacPOSIX

/// A corpus of real merges: a folder with a folder per case. Each case has the files `base`, `theirs`, `mine`,
/// `expected` (the authors' own result) and `kind`, whose first word groups the cases.
struct Corpus {
    let cases: [Case]

    struct Case {
        let name: String
        let kind: String
        let base: String
        let theirs: String
        let mine: String
        let expected: String
    }

    init(folder: String) throws {
        cases = try File.names(inFolder: folder).sorted().map { name in
            func text(_ file: String) throws -> String {
                String(decoding: try File.read("\(folder)/\(name)/\(file)"), as: UTF8.self)
            }
            return Case(
                name: name, kind: try text("kind").split(whereSeparator: \.isWhitespace).first.map(String.init) ?? "",
                base: try text("base"), theirs: try text("theirs"), mine: try text("mine"),
                expected: try text("expected"))
        }
    }
}
