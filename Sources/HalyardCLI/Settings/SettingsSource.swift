import Assembly
import Links
import Pipeline
import Posix
import Recipes
import TOML

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
      let usersFile = UserDirectory.configuration.path(environment).map { "\($0)/config.toml" }
      if let usersFile, isThere(usersFile) { files.append(try read(usersFile)) }
      // The system's may be for its owner's services alone.
      if isThere(systemFile), mayReadFile(systemFile) { files.append(try read(systemFile)) }
      return files
    }
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
      let hint =
        option.flatMap { !known.contains($0.variableName) ? "; \($0.flag) has no variable" : nil } ?? meant
      return "halyard: warning: \(Printable.text(name)) is ignored\(hint ?? "")\n"
    }
  }
}

/// A setting for one host, or for all sub-domains of one, is one of the option with a narrower scope.
extension Setting {
  /// All that there are for hosts; an aggregator has each of them.
  static let hostOptions = CommandTable.aggregator.options.filter { $0.hostKey != nil }

  /// What it says of the host; each value is on a line of its own.
  var said: String { ([key] + value.texts).joined(separator: "\n") }

  /// All of it but where it stands, as fetchers of a fleet get it.
  var text: String { "\(hostName)\n\(said)" }

  var hostName: String { host?.description ?? "" }

  /// nil if the text is not such a setting.
  init?(_ text: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard lines.count >= 2, let host = try? HostPattern(named: lines[0]),
      let option = Self.hostOptions.first(where: { $0.hostKey == lines[1] }),
      let values = try? lines.dropFirst(2).map({ try option.hostKind.read($0) })
    else { return nil }
    let place = SettingPlace("the fleet's options", TOMLPosition(line: 1, column: 1))
    self.init(option: option, value: OptionValue(values), origin: .file(place), host: host)
  }
}

extension [Setting] {
  /// Those that change what is found; a pace does not.
  var finding: [Setting] { filter { $0.option.marks.contains(.findings) } }
}

extension HostPattern {
  private static let wildcard = "*."

  /// Reads `t.co`, `bücher.example`, `10.0.0.1`, `[::1]` or `*.example.com`.
  init(named text: String) throws(ValueProblem) {
    let coversSubdomains = text.hasPrefix(Self.wildcard)
    let name = coversSubdomains ? String(text.dropFirst(Self.wildcard.count)) : text
    func problem(_ words: String) -> ValueProblem {
      ValueProblem(words: "\(Printable.quoted(text)) is not the name of a host\(words)")
    }
    guard !text.contains("://") else { throw problem(": leave the scheme out") }
    guard !name.contains("*") else {
      throw problem(": '*' only stands in front of a dot, for all sub-domains")
    }
    guard name.hasSuffix("]") || !name.contains(":") else {
      throw problem(": leave the port out, the settings are for all ports")
    }
    let hasEmptyLabel = name.hasPrefix(".") || name.contains("..")
    guard !hasEmptyLabel, !name.contains(where: { "/?#@\\%".contains($0) || $0.isWhitespace }),
      let url = try? WebURL("http://\(name)/")
    else { throw problem("") }
    if coversSubdomains, case .address = url.host { throw problem(": an address has no sub-domains") }
    self.init(url.host.description, coversSubdomains: coversSubdomains)
  }
}
