/// `almanac config`
enum ConfigCommands {
    static let all = [
        ConfigReading.get, ConfigReading.list, ConfigWriting.set, ConfigWriting.unset, ConfigEditing.command,
        ConfigReading.export, ConfigImport.command, ConfigComparing.diff, ConfigComparing.promote,
        ConfigHistory.history,
        ConfigHistory.restore, ConfigWatching.command,
    ]
}
