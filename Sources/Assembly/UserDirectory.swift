/// Where a user's own files are, by the XDG Base Directory Specification.
package enum UserDirectory: String, Sendable {
  case configuration = "XDG_CONFIG_HOME"
  case cache = "XDG_CACHE_HOME"
  /// What outlives a logout and a restart of the machine.
  case state = "XDG_STATE_HOME"

  /// Halyard's part of it; nil for a user without a home.
  package func path(_ environment: [String: String]) -> String? {
    // The specification ignores relative ones.
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    return (absolute(rawValue) ?? absolute("HOME").map { "\($0)/\(inHome)" }).map { "\($0)/halyard" }
  }

  private var inHome: String {
    switch self {
    case .configuration: ".config"
    case .cache: ".cache"
    case .state: ".local/state"
    }
  }
}
