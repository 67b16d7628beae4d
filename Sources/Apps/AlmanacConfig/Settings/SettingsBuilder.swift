/// A result builder for a list of settings.
@resultBuilder public enum SettingsBuilder {
    /// Adds one setting.
    public static func buildExpression(_ setting: any SettingConfiguration) -> [any SettingConfiguration] { [setting] }

    /// Adds the settings of an array.
    public static func buildExpression(_ settings: [any SettingConfiguration]) -> [any SettingConfiguration] {
        settings
    }

    /// Joins consecutive settings.
    public static func buildBlock(_ parts: [any SettingConfiguration]...) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }

    /// Adds the settings of an `if` without an `else`.
    public static func buildOptional(_ part: [any SettingConfiguration]?) -> [any SettingConfiguration] { part ?? [] }

    /// Adds the settings of an `if` branch.
    public static func buildEither(first: [any SettingConfiguration]) -> [any SettingConfiguration] { first }

    /// Adds the settings of an `else` branch.
    public static func buildEither(second: [any SettingConfiguration]) -> [any SettingConfiguration] { second }

    /// Adds the settings of a loop.
    public static func buildArray(_ parts: [[any SettingConfiguration]]) -> [any SettingConfiguration] {
        parts.flatMap(\.self)
    }
}
