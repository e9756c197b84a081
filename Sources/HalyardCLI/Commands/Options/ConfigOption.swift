/// The option of all commands that have settings.
enum ConfigOption {
  static let config = TypedOption<String?>.text(
    OptionLabel(
      name: "config", placeholder: "FILE", group: .general,
      summary:
        "Take settings from FILE alone; else from the user's and the system's, see 'halyard config --help'",
      fromEnvironment: true))
}
