import AlmanacNotes
import Foundation

/// A simulated device with the real library. Tests may kill and restart it at any moment.
final class Device {
    let name: String
    private let network: FaultyNetwork
    /// The connection of the current process. A killed process's connection is closed.
    private var line: Line
    private(set) var store: NotesStore
    private let folder: Folder
    private let user: SimulatedUser
    private var life = 0
    /// The syncs in progress.
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

    /// Waits for the syncs, delivers delayed requests, and stops the network's faults.
    func settle() async throws {
        for sync in syncs { await sync.value }
        syncs = []
        try await network.deliverLate()
        network.calm()
    }

    func deliverLate() async throws {
        try await network.deliverLate()
    }

    /// Restarts the process. Requests of the killed process are still delivered, but their responses are lost.
    func crash() async throws {
        let (old, new) = (folder.path("\(name)-\(life).db"), folder.path("\(name)-\(life + 1).db"))
        line.cut()
        try await store.copyFiles(from: old, to: new)
        life += 1
        line = Line(network)
        store = try folder.open("\(name)-\(life).db", user.server(behind: line))
    }
}
