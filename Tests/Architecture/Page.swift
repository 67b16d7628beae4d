import Foundation

/// A page of the documentation in Markdown, and where it leads.
struct Page: Sendable {
    /// From the top of the repository: `deploy/OPERATING.md`.
    let path: String
    let text: String

    /// What stands in parentheses after the text of a link, and the articles of DocC that the page names.
    var links: [String] {
        let outside = prose.joined(separator: "\n")
        return outside.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
            + outside.matches(of: /<doc:(\w+)>/).map { "\($0.1).md" }
    }

    /// Every path of the repository that the page names, in prose or in lines to paste.
    var pathsNamed: [String] {
        text.split { !($0.isLetter || $0.isNumber || "_+-./".contains($0)) }.compactMap { word in
            let path = String(word.reversed().drop { ".-/".contains($0) }.reversed())
            return ["Sources/", "Tests/", "deploy/", "sql/"].contains(where: path.hasPrefix) ? path : nil
        }
    }

    /// The anchors that GitHub gives the page's headings.
    var anchors: Set<String> {
        Set(
            prose.filter { $0.wholeMatch(of: /#+ .+/) != nil }.map { heading in
                heading.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces).lowercased()
                    .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
            })
    }

    /// The links that lead nowhere.
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

    /// A path beside this page, from the top of the repository.
    private func resolve(_ link: String) -> String {
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in link.split(separator: "/") {
            if part == ".." { _ = parts.popLast() } else { parts.append(String(part)) }
        }
        return parts.joined(separator: "/")
    }

    /// The lines outside blocks of code.
    private var prose: [String] {
        var isCode = false
        return text.components(separatedBy: "\n").filter { line in
            let isFence = line.trimmingCharacters(in: .whitespaces).hasPrefix("```")
            if isFence { isCode.toggle() }
            return !isFence && !isCode
        }
    }
}
