/// What flags that ask for other flags come to.
enum Dependencies {
    /// Marks flags that depend on themselves, or on each other too deep, as broken, and those that depend on the time
    /// through others as such.
    static func check(_ flags: inout [FlagDraft], report: (FlagFault) -> Void) {
        // The height of each flag with those that it asks for; 0 for one not looked at yet, -1 while it is.
        var heights = [Int32](repeating: 0, count: flags.count)
        for start in flags.indices where heights[start] == 0 {
            // Not by calling itself: chains may be long.
            var way: [(flag: Int, next: Int)] = [(start, 0)]
            heights[start] = -1
            while let (flag, next) = way.last {
                guard next < flags[flag].dependencies.count else {
                    heights[flag] = finish(&flags, flag, heights, report: report)
                    way.removeLast()
                    continue
                }
                way[way.count - 1].next += 1
                let other = flags[flag].dependencies[next]
                if heights[other] == -1 {
                    let circle = way.drop { $0.flag != other }.map { $0.flag }
                    let names = circle.map { flags[$0].key }.joined(separator: ", ")
                    for flag in circle { mark(&flags, flag, "a circle of flags: " + names, report: report) }
                } else if heights[other] == 0 {
                    heights[other] = -1
                    way.append((other, 0))
                }
            }
        }
    }

    private static func finish(
        _ flags: inout [FlagDraft], _ flag: Int, _ heights: [Int32], report: (FlagFault) -> Void
    ) -> Int32 {
        var highest: Int32 = 0
        for other in flags[flag].dependencies where other != flag {
            highest = max(highest, heights[other])
            if flags[other].readsTime { flags[flag].readsTime = true }
        }
        let height = (flags[flag].rule?.height ?? 0) + max(0, highest)
        if height > RuleLimits.height {
            mark(&flags, flag, "flags that ask for each other too deep", report: report)
        }
        return max(1, height)
    }

    private static func mark(_ flags: inout [FlagDraft], _ flag: Int, _ message: String, report: (FlagFault) -> Void) {
        guard flags[flag].fault == nil else { return }
        let fault = FlagFault(at: ["flags", flags[flag].key, "targeting"], message)
        flags[flag].fault = fault
        report(fault)
    }
}
