extension Rule {
    static let publicSymbolsHaveComments = Rule.ofFiles("what a library for apps shows has a comment") { file in
        guard documentedFolders.contains(where: file.isInside) else { return [] }
        var signatures = PublicSignatures(file)
        return signatures.signatures().filter { !file.hasComment(above: $0.index) && !$0.signature.needsNoComment }
            .map { file.finding($0.index, "shows \($0.signature) without a comment") }
    }

    static let commentsBeginPlainly = Rule.ofFiles("no doc comment begins with a word that hides its subject") { file in
        // Generated files repeat the descriptions of entries.
        if file.lines.first == "// swift-format-ignore-file" { return [] }
        // Each use of the property compiles the expression.
        let hidingWords = hidingWords
        return file.lines.indices.compactMap { index in
            guard file.comments[index].has("///") else { return nil }
            let isFirst = index == 0 || !file.lines[index - 1].drop(while: \.isWhitespace).hasPrefix("///")
            guard isFirst else { return nil }
            return file.comments[index].firstMatch(of: hidingWords)
                .map { file.finding(index, "begins with \"\($0.output.1)\"; begin with a verb or a noun") }
        }
    }

    private static var hidingWords: Regex<(Substring, Substring)> {
        /\/\/\/\s+(What|How|Whether|Where|Why|As|So|Of|Those|One|It|That|Who)\b/
    }

    /// The folders of the products, and of modules whose symbols the products re-export.
    private static let documentedFolders = [
        "Sources/Platform/Transport", "Sources/Core/TextMerge", "Sources/Core/Targeting",
        "Sources/Apps/ClientRuntime",
        "Sources/Apps/AlmanacSignIn", "Sources/Apps/AlmanacConfig", "Sources/Apps/AlmanacFlags",
        "Sources/Apps/AlmanacNotes",
    ]
}

extension SourceFile {
    /// Returns true if a documentation comment precedes a declaration and its attributes.
    fileprivate func hasComment(above index: Int) -> Bool {
        let above = lines[..<index].last { line in
            !line.contains(/^\s*@\w+(?:\([^)]*\))?(?:\s+@\w+)*\s*$/)
        }
        return above?.contains(/^\s*\/\/\//) ?? false
    }
}

extension String {
    /// True for a declaration that a standard protocol documents, and for an import.
    fileprivate var needsNoComment: Bool {
        contains(/\bimport\s/) || contains(/\bvar (?:description|debugDescription|customMirror|errorDescription):/)
            || contains(/\bfunc (?:==|<|hash|encode|makeAsyncIterator|next)\s*\(/)
            || contains(/\binit\((?:from decoder|\w+Literal )/)
            || contains(/\b(?:struct|enum) (?:Iterator|AsyncIterator)\b/)
            || contains(/\btypealias (?:Element|Failure|Output|AsyncIterator)\b/)
    }
}
