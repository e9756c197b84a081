import Pipeline
import Roles
import Scheduling

/// A setting for one host, or for all sub-domains of one.
struct HostSetting: Hashable, Sendable {
  enum Key: String, CaseIterable, Sendable {
    case userAgent = "user-agent"
    case headers
    case perHost = "per-host"
    case delay

    /// What says the same to all hosts; a command without it has no use for the setting.
    var option: OptionSpec {
      switch self {
      case .userAgent: LinkOption.userAgent.spec
      case .headers: RequestOption.header.spec
      case .perHost: LinkOption.perHost.spec
      case .delay: LinkOption.hostDelay.spec
      }
    }
  }

  /// A setting without where it stands.
  struct Said: Hashable, Sendable {
    var host: HostPattern
    var key: Key
    var value: OptionValue
  }

  var host: HostPattern
  var key: Key
  /// Headers as a list of `Name: value`.
  var value: OptionValue
  var place: SettingPlace

  var said: Said { Said(host: host, key: key, value: value) }

  /// What it says of requests; nil for a pace, which changes no findings.
  var requests: [String]? {
    switch (key, value) {
    case (.userAgent, .text(let text)): [text]
    case (.headers, .list(let lines)): lines
    default: nil
    }
  }
}

extension HostRequests {
  init(_ settings: [HostSetting]) {
    self.init()
    for setting in settings {
      guard let lines = setting.requests else { continue }
      if setting.key == .userAgent {
        userAgents[setting.host] = lines.first
      } else {
        headers[setting.host] = lines.compactMap { try? OwnHeaderText.header($0) }
      }
    }
  }
}

extension HostPaces {
  /// Lets hosts have a pace of their own.
  mutating func except(_ settings: [HostSetting]) {
    for setting in settings {
      switch (setting.key, setting.value) {
      case (.perHost, .number(let number)): atOnce[setting.host] = Int(clamping: number)
      case (.delay, .number(let milliseconds)): delays[setting.host] = milliseconds
      default: continue
      }
    }
  }
}
