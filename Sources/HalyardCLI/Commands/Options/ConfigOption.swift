/// The option of all commands that have settings.
enum ConfigOption {
  static let config = Option<String?>(
    "--config FILE", .general, [.variable, .subject], .text,
    "Take settings from FILE alone; else from the user's and the system's, see 'halyard config --help'")
}
