import AlmanacTestSupport
import Testing

@testable import AlmanacNotesDomain

@Suite struct ListPositionTests {
    @Test(
        arguments: [
            (nil, nil, "a0"), ("a0", nil, "a1"), ("az", nil, "b00"), ("bzz", nil, "c000"), ("Zz", nil, "a0"),
            ("Y0z", nil, "Y10"), ("Yzz", nil, "Z0"), (nil, "a0", "Zz"), (nil, "Z0", "Yzz"), (nil, "b00", "az"),
            (nil, "a0V", "a0"), ("a0", "a1", "a0V"), ("a0", "a2", "a1"), ("a0", "a0V", "a0F"), ("a0V", "a1", "a0k"),
            ("a0", "a01", "a00V"), ("Zz", "a0", "ZzV"), ("az", "b00", "azV"),
        ] as [(String?, String?, String)])
    func `a position lies between two others`(lower: String?, upper: String?, expected: String) {
        #expect(ListPosition.between(lower, upper) == expected)
    }

    @Test func `any number of positions put anywhere keep their order and are all different`() {
        var random = Randomness()
        for _ in 0..<TestDepth.runs(quick: 10, standard: 20, long: 500) {
            var list: [String] = []
            // Some lists grow mostly at one place, which makes positions long.
            let favourite = Int.random(in: 0...2, using: &random)
            for _ in 0..<300 {
                let place =
                    switch favourite {
                    case 0: 0
                    case 1: list.count
                    default: Int.random(in: 0...list.count, using: &random)
                    }
                let lower = place > 0 ? list[place - 1] : nil
                let upper = place < list.count ? list[place] : nil
                let position = ListPosition.between(lower, upper)
                #expect(lower.map { $0 < position } ?? true, "\(random.note)")
                #expect(upper.map { position < $0 } ?? true, "\(random.note)")
                list.insert(position, at: place)
            }
            if favourite < 2 { #expect(list.allSatisfy { $0.utf8.count <= 4 }, "\(random.note)") }
        }
    }

    @Test func `a numbering is short and in order`() {
        let positions = ListPosition.numbering(10_000)
        #expect(zip(positions, positions.dropFirst()).allSatisfy { $0 < $1 })
        #expect(positions.allSatisfy { $0.utf8.count <= 4 })
        #expect(ListPosition.numbering(0).isEmpty)
    }
}
