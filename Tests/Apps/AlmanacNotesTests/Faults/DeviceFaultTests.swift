import AlmanacNotes
import AlmanacPOSIX
import AlmanacTestSupport
import Foundation
import Testing

/// Fault tests with a process per device. The processes are killed at random behind a faulty proxy.
@Suite(.blocking) struct DeviceFaultTests {
    private static let devices = 3
    private static let processesPerDevice = 2
    /// The number of simulations. Each takes some ten times as long as those in Simulation.
    private static let runs = TestDepth.runs(quick: 4, standard: 10, long: 200)
    private static let concurrentRuns = 2

    @Test func `devices that are killed behind a proxy that loses and doubles come to the same notes`() async throws {
        let instance = try await PlainProxy()
        let seed = Randomness().seed
        let seen = try await withThrowingTaskGroup(of: (kept: Int, faults: Set<FaultyProxy.Fault>).self) { group in
            for part in 0..<Self.concurrentRuns {
                group.addTask {
                    var (kept, faults) = (0, Set<FaultyProxy.Fault>())
                    for run in stride(from: part, to: Self.runs, by: Self.concurrentRuns) {
                        var random = Randomness(seed: seed &+ UInt64(run))
                        let proxy = try FaultyProxy(to: instance.port, seed: random.next())
                        kept += try await Self.runDevices(
                            behind: proxy, &random, "\(random.note), the first of its simulations")
                        faults.formUnion(proxy.occurredFaults)
                    }
                    return (kept, faults)
                }
            }
            return try await group.reduce(into: (kept: 0, faults: Set<FaultyProxy.Fault>())) { all, part in
                all.kept += part.kept
                all.faults.formUnion(part.faults)
            }
        }
        print("\(Self.runs) simulations of killed devices from ALMANAC_TEST_SEED=\(seed), \(seen.kept) words kept")
        #expect(seen.faults.count == FaultyProxy.Fault.allCases.count)
        #expect(seen.kept > Self.runs * Self.devices * Self.processesPerDevice)
    }

    /// - Returns: the number of words that were on disk before their device was killed.
    private static func runDevices(
        behind proxy: FaultyProxy, _ random: inout Randomness, _ note: String
    ) async throws -> Int {
        let (folder, user) = (try Folder(), try await SimulatedUser("fault-test"))
        var log = DeviceWriteLog()
        for process in 0..<processesPerDevice {
            let programs = try (0..<devices).map { device in
                try BackgroundCommand(
                    program,
                    [folder.path("\(device).db"), proxy.environment("development"), firstWord(device, process)],
                    environment: ["ALMANAC_TEST_TOKEN": user.token])
            }
            for device in programs.shuffled(using: &random) {
                let lines = Int.random(in: 1...40, using: &random)
                let hasWritten = try await eventuallyAsync {
                    !device.isRunning || device.outputBytes.count(where: { $0 == 10 }) >= lines
                }
                device.kill()
                _ = device.wait(upTo: .seconds(10))
                let errors = String(decoding: device.errorBytes, as: UTF8.self)
                try #require(hasWritten && errors.isEmpty, "\(note): \(errors)")
                log.read(device.outputBytes)
            }
        }
        proxy.stopFaults()
        var options = NotesOptions()
        options.isDurable = false
        let environment = URL(string: proxy.environment("development"))!
        let stores = try (0..<devices).map {
            try NotesStore(
                file: folder.file("\($0).db"), environment: environment,
                account: user.account, tokens: FixedToken(user.token), options: options)
        }
        try await user.settle(stores)
        let texts = try await stores[0].notes().map(\.body)
        for store in stores {
            let same = try await store.notes().map(\.body).elementsEqual(texts) { $0.utf8.elementsEqual($1.utf8) }
            #expect(same, "\(note)")
            #expect(try await store.notes().allSatisfy { $0.status == .onServer }, "\(note)")
        }
        #expect(try await user.read("notes?limit=1000").texts("order").count == texts.count, "\(note)")
        #expect(log.problem(with: texts) == nil, "\(note)")
        return log.storedWords.count
    }

    /// Returns the number of the first word. No device writes 5,000 words before it is killed.
    private static func firstWord(_ device: Int, _ process: Int) -> String {
        "\((device * processesPerDevice + process) * 5000)"
    }

    private static var program: String { Checkout.program("almanac-notes-device") }
}
