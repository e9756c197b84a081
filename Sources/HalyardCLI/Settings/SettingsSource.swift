import Assembly
import Posix
import Recipes

/// Where settings come from; nothing is read before a command asks.
struct SettingsSource: Sendable {
  /// - Parameter named: The file that `--config` names, which is read alone; nil for the default ones.
  /// - Returns: The files, the one that counts most first.
  let files: @Sendable (_ named: String?) throws(UsageError) -> [SettingsFile]

  static let none = SettingsSource { _ in [] }

  static let systemFile = "/etc/halyard/config.toml"

  /// The user's file and the system's, when they are there.
  static func defaultFiles(_ environment: [String: String], systemFile: String = systemFile) -> SettingsSource
  {
    SettingsSource { named throws(UsageError) in
      if let named { return [try read(named)] }
      var files: [SettingsFile] = []
      if let path = usersFile(environment), isThere(path) { files.append(try read(path)) }
      // The system's may be for its owner's services alone.
      if isThere(systemFile), mayReadFile(systemFile) { files.append(try read(systemFile)) }
      return files
    }
  }

  static func usersFile(_ environment: [String: String]) -> String? {
    UserDirectory.configuration.path(environment).map { "\($0)/config.toml" }
  }

  /// A directory that cannot be entered has no settings for this user.
  private static func isThere(_ path: String) -> Bool {
    ((try? FileFacts(at: path)) ?? nil) != nil
  }

  private static func read(_ path: String) throws(UsageError) -> SettingsFile {
    let bytes: [UInt8]?
    do throws(DistrustedPath) {
      bytes = try ListFile.bytes(of: path, SafeFile.readingTrusted)
    } catch {
      if case .failed(let cause) = error.reason { throw unreadable("\(path): \(cause.message)") }
      throw unreadable(error.message)
    }
    guard let bytes else { throw unreadable("\(path): settings of more than 1 MiB") }
    return try SettingsFile(parsing: bytes, path: path)
  }

  private static func unreadable(_ words: String) -> UsageError {
    UsageError(rendered: "halyard: \(Printable.text(words))\n")
  }
}

/// Variables that look like options of this program and change nothing, as mistyped ones do.
enum UnknownVariables {
  /// A line for each of them. Kubernetes names the ports of services in variables of its own.
  static func warnings(_ environment: [String: String]) -> [String] {
    let options = CommandTable.commands.flatMap(\.options)
    let known = Set(options.compactMap(\.variable))
    let unknown = environment.keys.filter {
      $0.hasPrefix(OptionSpec.variablePrefix) && !known.contains($0)
        && !$0.contains("_SERVICE_") && !$0.contains("_PORT")
    }
    return unknown.sorted().map { name in
      let meant = Suggestion.closest(to: name, among: known.sorted()).map { " — did you mean '\($0)'?" }
      let names = options.map(\.variableName)
      let option = options.first { $0.variableName == Suggestion.closest(to: name, among: names) }
      let hint = option.flatMap { $0.variable == nil ? "; \($0.flag) has no variable" : nil } ?? meant
      return "halyard: warning: \(Printable.text(name)) is ignored\(hint ?? "")\n"
    }
  }
}
