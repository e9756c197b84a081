import Links
import Pipeline
import TOML

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
