import RegexBuilder

extension Rule {
    static let cModulesStayInTheirWrappers = Rule(name: "a C module is imported only by its wrapper") { file in
        file.imports.compactMap { index, module in
            guard module.wholeMatch(of: /C[A-Z]\w*/) != nil else { return nil }
            let owners = ModuleOrder.owners[module] ?? []
            if owners.contains(where: file.isInside) { return nil }
            let place = owners.isEmpty ? "no folder yet: see ModuleOrder.owners" : owners.joined(separator: ", ")
            return file.finding(index, "imports \(module), which belongs in \(place)")
        }
    }

    static let systemCallsStayAtTheBottom = Rule(name: "Glibc is imported only at the bottom and in tests") { file in
        file.imports.compactMap { index, module in
            guard module == "Glibc", !ModuleOrder.systemCallers.contains(where: file.isInside) else { return nil }
            return file.finding(index, "imports Glibc; what it needs belongs in POSIX")
        }
    }

    static let noFoundationInSources = Rule(name: "nothing of the server imports Foundation") { file in
        file.imports.compactMap { index, module in
            guard file.isInside("Sources"), !ModuleOrder.foundationUsers.contains(where: file.isInside),
                module.hasPrefix("Foundation")
            else { return nil }
            return file.finding(index, "imports \(module)")
        }
    }

    static let modulesImportDownwards = Rule(name: "a module imports only modules that lie below it") { file in
        guard let importer = file.module else { return [] }
        guard let layer = ModuleOrder.layer(of: importer) else {
            return [file.finding(0, "\(importer) has no place in ModuleOrder.layers")]
        }
        return file.imports.compactMap { index, module in
            guard let lower = ModuleOrder.layer(of: module), module != importer else { return nil }
            let isNeighbour = ModuleOrder.neighbours[importer]?.contains(module) == true
            if lower >= layer, !isNeighbour {
                return file.finding(index, "\(importer) imports \(module), which does not lie below it")
            }
            if ModuleOrder.refusals[importer]?.contains(module) == true {
                return file.finding(index, "\(importer) may not know \(module)")
            }
            return nil
        }
    }
}

extension SourceFile {
    /// The modules imported, with the index of the line.
    fileprivate var imports: [(index: Int, module: String)] {
        let kinds = /(?:typealias|struct|class|enum|protocol|let|var|func)\s+/
        let statement = Regex {
            /(?:^|;)\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+/
            Optionally(kinds)
            Capture(/\w+/)
        }
        return code.enumerated().flatMap { index, line in
            line.contains("import") ? line.matches(of: statement).map { (index, String($0.output.1)) } : []
        }
    }
}
