import Foundation

/// A documentation page in Markdown and its links.
struct Page: Sendable {
    /// The path from the repository's root: `deploy/OPERATING.md`.
    let path: String
    let text: String

    /// The targets of the page's links, and the DocC articles that the page names.
    var links: [String] {
        let outside = prose.joined(separator: "\n")
        return outside.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            + outside.matches(of: /<doc:(\w+)>/).map { "\($0.1).md" }
    }

    /// The repository paths in the page, both in prose and in code blocks.
    var pathsNamed: [String] {
        text.split { !($0.isLetter || $0.isNumber || "_+-./".contains($0)) }.compactMap { word in
            let path = String(word.reversed().drop { ".-/".contains($0) }.reversed())
            return ["Sources/", "Tests/", "deploy/", "sql/"].contains(where: path.hasPrefix) ? path : nil
        }
    }

    /// The anchors that GitHub derives from the page's headings.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.wholeMatch(of: /#+ .+/) != nil }.map { heading in
                heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                    .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
            })
    }

    /// Returns the links whose file or heading does not exist.
    func brokenLinks(among pages: [Page], exists: (String) -> Bool) -> [String] {
        links.filter { link in
            if link.contains("://") { return false }
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let target = parts[0].isEmpty ? path : resolve(String(parts[0]))
            guard exists(target) else { return true }
            guard parts.count > 1 else { return false }
            return pages.first { $0.path == target }?.anchors.contains(String(parts[1])) != true
        }
    }

    /// Resolves a link relative to the page. Returns the path from the repository's root.
    private func resolve(_ link: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    /// The lines outside code blocks.
    private var prose: [String] {
        var isCode = false
        return text.components(separatedBy: "\n").filter { line in
            let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isFence && !isCode
        }
    }
}
