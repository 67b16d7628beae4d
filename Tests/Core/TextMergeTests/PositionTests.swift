import AlmanacTestSupport
import Testing
import TextMerge

@Suite struct PositionTests {
    // The base is 0 1 2 3 4 5 6 7 8 9. The delta inserts two units at 2, replaces 4...6 by three and deletes 8...9.
    private let delta = Delta([
        .retain(2), .insert("ab"), .retain(2), .delete(3), .insert("xyz"), .retain(1), .delete(2),
    ])

    @Test(arguments: [
        (0, 0, 0), (1, 1, 1), (2, 2, 4), (3, 5, 5), (4, 6, 6), (5, 6, 9), (6, 6, 9), (7, 9, 9), (8, 10, 10),
        (9, 10, 10),
        (10, 10, 10),
    ])
    func `a caret keeps its place`(position: Int, before: Int, after: Int) {
        #expect(delta.map(position: position) == before)
        #expect(delta.map(position: position, affinity: .after) == after)
    }

    @Test func `at the end of the text the affinity decides as anywhere`() {
        let delta = Delta([.retain(1), .insert("ab")])
        #expect(delta.map(position: 1) == 1)
        #expect(delta.map(position: 1, affinity: .after) == 3)
        #expect(Delta([.insert("ab")]).map(position: 0, affinity: .after) == 2)
        #expect(Delta().map(position: 0, affinity: .after) == 0)
    }

    @Test func `what is kept is found where it is, and order is kept`() throws {
        var random = RandomText()
        for _ in 0..<TestDepth.runs(quick: 200, standard: 500, long: 5000) {
            let base = random.text()
            let result = random.edit(base)
            let delta = Delta.between(base, result)
            for affinity in [Delta.Affinity.before, .after] {
                let mapped = (0...base.units.count).map { delta.map(position: $0, affinity: affinity) }
                #expect(mapped == mapped.sorted(), "\(random.note)")
                #expect(mapped.allSatisfy((0...result.units.count).contains), "\(random.note)")
            }
            var offset = 0
            for operation in delta.operations {
                switch operation {
                case .retain(let length):
                    for position in offset..<offset + length {
                        let place = delta.map(position: position, affinity: .after)
                        #expect(base.units[position] == result.units[place], "\(random.note)")
                    }
                    offset += length
                case .delete(let length): offset += length
                case .insert: break
                }
            }
        }
    }
}
