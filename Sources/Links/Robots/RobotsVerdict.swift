/// Whether a link may be fetched.
public enum RobotsVerdict: Hashable, Sendable {
  /// Nil when no rule speaks of it.
  case allowed(by: RobotsRule?)
  case refused(by: RobotsRule)
  /// Not to be fetched, because the rules are not known in good time.
  case tooMuchToCompare
}

/// A rule as it stands in the file.
public struct RobotsRule: Hashable, Sendable {
  public let allows: Bool
  /// Percent-encoded.
  public let path: String
  /// From 1 up.
  public let line: Int

  init(allows: Bool, path: String, line: Int) {
    (self.allows, self.path, self.line) = (allows, path, line)
  }
}

extension RobotsRule: CustomStringConvertible {
  /// `Disallow: /private`, cut when it is very long.
  public var description: String {
    let shown = path.utf8.count > 200 ? "\(path.prefix(200))…" : path
    return "\(allows ? "Allow" : "Disallow"): \(shown)"
  }
}

extension RobotsPattern {
  var text: String { String(decoding: octets, as: UTF8.self) + (endsThere ? "$" : "") }
}
