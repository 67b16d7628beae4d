extension Rule {
    static let noPointersInPublicSignatures = Rule.ofFiles("no pointer shows in a public signature") { file in
        // A quick search skips most files.
        let names = ["OpaquePointer", "Unmanaged", "Unsafe"]
        guard file.code.contains(where: { line in names.contains(where: line.has) }) else { return [] }
        var scanner = PublicSignatures(file)
        return scanner.signatures().flatMap { index, signature in
            signature.matches(of: /\b(?:OpaquePointer|Unmanaged|Unsafe\w+)\b/).map {
                file.finding(index, "\($0.output) in a public signature")
            }
        }
    }

    static let uncheckedSafetyHasAProof = Rule.ofFiles("what the compiler cannot check says why it is safe") { file in
        file.code.enumerated().compactMap { index, line in
            // Compiling the regular expression for each line is slow, so a quick search precedes it.
            guard ["@unchecked", "@safe", "(unsafe)"].contains(where: line.has),
                let claim = line.firstMatch(of: /@unchecked\s+Sendable|nonisolated\(unsafe\)|[@]safe\b/)
            else { return nil }
            let near = file.comments[max(0, index - 6)...min(file.comments.count - 1, index + 6)]
            if near.contains(where: { $0.contains(/[Ss]afe (?:[\w-]+ ){0,6}because/) }) { return nil }
            return file.finding(index, "\(claim.output) without a comment \"Safe because …\" within 6 lines")
        }
    }
}
