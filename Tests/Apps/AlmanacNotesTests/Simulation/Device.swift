import AlmanacNotes
import Foundation

/// A device with the real library, which may be killed and started again at any moment.
final class Device {
    let name: String
    private let network: FaultyNetwork
    /// The way of the process that runs now; that of one that was killed is closed.
    private var line: Line
    private(set) var store: NotesStore
    private let folder: Folder
    private let user: SimulatedUser
    private var life = 0
    /// What it has begun and not ended.
    private var syncs: [Task<Void, Never>] = []

    init(_ name: String, _ folder: Folder, _ network: FaultyNetwork, _ user: SimulatedUser) throws {
        self.name = name
        self.folder = folder
        self.network = network
        self.user = user
        line = Line(network)
        store = try folder.open("\(name)-0.db", user.server(behind: line))
    }

    func beginSync() {
        let store = store
        syncs.append(Task { _ = try? await store.sync() })
    }

    /// Ends what it has begun, lets late requests arrive, and from now on everything.
    func settle() async throws {
        for sync in syncs { await sync.value }
        syncs = []
        try await network.deliverLate()
        network.calm()
    }

    func deliverLate() async throws {
        try await network.deliverLate()
    }

    /// Ends the process and starts it again. What it had sent is still on its way, and finds nobody waiting.
    func crash() async throws {
        let (old, new) = (folder.path("\(name)-\(life).db"), folder.path("\(name)-\(life + 1).db"))
        line.cut()
        try await store.copyFiles(from: old, to: new)
        life += 1
        line = Line(network)
        store = try folder.open("\(name)-\(life).db", user.server(behind: line))
    }
}
