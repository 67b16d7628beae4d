extension Rule {
    static let filesStayShort = Rule.ofFiles("no Swift file has more than 400 lines") { file in
        file.lines.count > 400 ? [file.finding(400, "one of \(file.lines.count) lines, 400 are enough")] : []
    }

    static let linesStayShort = Rule.ofFiles("no line of Swift has more than 120 bytes") { file in
        // Generated files may have longer lines.
        if file.lines.first == "// swift-format-ignore-file" { return [] }
        return file.lines.indices.compactMap { index in
            let length = file.lines[index].utf8.count
            return length > 120 ? file.finding(index, "\(length) bytes, 120 are enough") : nil
        }
    }

    /// The naming rule exists because `deploy/test` selects exit tests by name: they keep Swift's thread pool busy.
    static let exitTestsSaySo = Rule.ofFiles("exit tests are in files and suites named …ExitTests") { file in
        guard let index = file.code.firstIndex(where: { $0.has("processExitsWith:") }) else { return [] }
        let suite = file.path.split(separator: "/").last!.dropLast(".swift".count)
        let isNamed = suite.hasSuffix("ExitTests") && file.code.contains { $0.contains("struct \(suite) {") }
        return isNamed ? [] : [file.finding(index, "an exit test outside a file and suite named …ExitTests")]
    }

    static let statementsAreNamed = Rule.ofFiles("SQL outside the PostgreSQL module starts with its name") { file in
        guard file.isInside("Sources"), !file.isInside("Sources/Platform/PostgreSQL") else { return [] }
        return file.literals.compactMap { literal in
            guard literal.isSQL, literal.text.prefixMatch(of: /\s*-- name: \w+\s*\n/) == nil else { return nil }
            return file.finding(literal.line - 1, "SQL that does not start with a line \"-- name: …\"")
        }
    }
}

extension SourceFile.Literal {
    /// True if the text, after comments, starts like a statement that reads or changes rows or tables.
    fileprivate var isSQL: Bool {
        let words = [
            "select", "insert", "update", "delete", "with", "create", "alter", "drop", "lock", "truncate",
        ]
        // A quick search skips most texts.
        guard words.contains(where: text.lowercased().has) else { return false }
        let body = text.trimmingPrefix(/(?:\s*--[^\n]*\n)*\s*/)
        let beginnings = [
            /select\s[\s\S]*?\sfrom\s/, /select\s+(?:\w+\.)?\w+\s*\(/, /insert\s+into\s/,
            /update\s+(?:only\s+)?[\w.]+(?:\s+as\s+\w+|\s+\w+)?\s+set\s/, /delete\s+from\s/,
            /with\s+(?:recursive\s+)?\w+(?:\s*\([^)]*\))?\s+as\s/,
            /(?:create|alter|drop|lock|truncate)\s+(?:table|index|role|function|type)\s/,
        ]
        return beginnings.contains { body.prefixMatch(of: $0.ignoresCase()) != nil }
    }
}
