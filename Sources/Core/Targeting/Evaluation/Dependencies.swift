/// The dependencies between flags, checked for cycles and depth.
struct Dependencies {
    /// The height of each flag with its dependencies, or 0 while unknown.
    private var heights: [Int32]
    /// Tarjan's indices: the time at which each flag was visited, from 1, or 0; and the earliest visited flag in reach.
    private var visitIndices: [Int]
    private var lowLinks: [Int]
    /// The flags whose cycle is still unknown, in the order of their visits.
    private var pending: [Int] = []
    private var isPending: [Bool]
    private var time = 0

    /// The number of flags of a cycle that a message names.
    private static let maxNames = 5

    /// Marks flags in a cycle or with too deep dependencies as faulty, and flags that depend on the time through
    /// others.
    static func check(_ flags: inout [FlagDraft], report: (FlagFault) -> Void) {
        var dependencies = Dependencies(count: flags.count)
        for start in flags.indices where dependencies.visitIndices[start] == 0 {
            dependencies.visit(start, &flags, report: report)
        }
    }

    private init(count: Int) {
        heights = [Int32](repeating: 0, count: count)
        (visitIndices, lowLinks) = ([Int](repeating: 0, count: count), [Int](repeating: 0, count: count))
        isPending = [Bool](repeating: false, count: count)
    }

    /// Finds the cycles among the flags in reach of one flag (Robert Tarjan, "Depth-First Search and Linear Graph
    /// Algorithms", 1972). The search is iterative because chains may be long.
    private mutating func visit(_ start: Int, _ flags: inout [FlagDraft], report: (FlagFault) -> Void) {
        var path: [(flag: Int, next: Int)] = []
        enter(start, &path)
        while let (flag, next) = path.last {
            guard next == flags[flag].dependencies.count else {
                path[path.count - 1].next += 1
                let other = flags[flag].dependencies[next]
                if visitIndices[other] == 0 {
                    enter(other, &path)
                } else if isPending[other] {
                    lowLinks[flag] = min(lowLinks[flag], visitIndices[other])
                }
                continue
            }
            path.removeLast()
            if let (outer, _) = path.last { lowLinks[outer] = min(lowLinks[outer], lowLinks[flag]) }
            if lowLinks[flag] == visitIndices[flag] { completeComponent(flag, &flags, report: report) }
        }
    }

    private mutating func enter(_ flag: Int, _ path: inout [(flag: Int, next: Int)]) {
        time += 1
        (visitIndices[flag], lowLinks[flag], isPending[flag]) = (time, time, true)
        pending.append(flag)
        path.append((flag, 0))
    }

    /// Completes a strongly connected component, which consists of the pending flags from one on.
    private mutating func completeComponent(_ first: Int, _ flags: inout [FlagDraft], report: (FlagFault) -> Void) {
        let component = pending[(pending.lastIndex(of: first) ?? 0)...]
        pending.removeLast(component.count)
        if component.count > 1 || flags[first].dependencies.contains(first) {
            var names = component.prefix(Self.maxNames).map { flags[$0].key }.joined(separator: ", ")
            if component.count > Self.maxNames { names += " and \(component.count - Self.maxNames) more" }
            for flag in component {
                Self.mark(&flags, flag, "flags depend on each other in a cycle: " + names, report: report)
            }
        }
        for flag in component {
            for other in flags[flag].dependencies where !isPending[other] {
                heights[flag] = max(heights[flag], heights[other])
                if flags[other].readsTime { flags[flag].readsTime = true }
            }
            heights[flag] = max(1, heights[flag] + (flags[flag].rule?.height ?? 0))
            if heights[flag] > RuleLimits.maxHeight {
                Self.mark(&flags, flag, "the dependencies between flags are nested too deep", report: report)
            }
        }
        for flag in component { isPending[flag] = false }
    }

    private static func mark(_ flags: inout [FlagDraft], _ flag: Int, _ message: String, report: (FlagFault) -> Void) {
        guard flags[flag].fault == nil else { return }
        let fault = FlagFault(at: ["flags", flags[flag].key, "targeting"], message)
        flags[flag].fault = fault
        report(fault)
    }
}
