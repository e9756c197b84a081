package import Pipeline

/// How fast one host may be asked.
package struct HostPace: Hashable, Sendable {
  /// Items at once, at least 1.
  package var atOnce: Int
  /// The least time between two starts.
  package var delayMilliseconds: Int64

  package init(atOnce: Int, delayMilliseconds: Int64 = 0) {
    (self.atOnce, self.delayMilliseconds) = (max(1, atOnce), delayMilliseconds)
  }

  /// What can start soon: a few times what may go on at once, and with a delay what starts in a second.
  var mostSoon: Int {
    let few = atOnce.multipliedReportingOverflow(by: 4)
    let most = few.overflow ? atOnce : few.partialValue
    guard delayMilliseconds > 0 else { return most }
    return max(1, min(most, Int(1_000 / delayMilliseconds)))
  }
}

/// The pace of each host: the default, and what differs from it for some hosts.
package struct HostPaces: Sendable {
  package var defaultPace: HostPace
  /// Items at once where they are not the default.
  package var atOnce = HostTable<Int>()
  /// Milliseconds between two starts where they are not the default.
  package var delays = HostTable<Int64>()
  /// Of what the fetchers take, so much may be under way at hosts that have not answered.
  package var percentUntried = 100

  package init(_ defaultPace: HostPace) {
    self.defaultPace = defaultPace
  }

  /// - Parameter key: The host as it stands in a URL, with or without a port.
  package func pace(host key: String) -> HostPace {
    guard !(atOnce.isEmpty && delays.isEmpty) else { return defaultPace }
    return HostPace(
      atOnce: atOnce.value(host: key) ?? defaultPace.atOnce,
      delayMilliseconds: delays.value(host: key) ?? defaultPace.delayMilliseconds)
  }
}
