package import HTTPMessages

/// Limits of a server and of each of its connections.
package struct ServerLimits: Sendable {
  package var connection = ConnectionLimits()
  package var connections = 1_024
  /// Of one address of IPv4, or of one /64 of IPv6.
  package var connectionsOfAddress = 64
  /// Addresses whose connections are not counted: this machine's, and those of proxies if there are any.
  package var isTrusted: @Sendable (_ host: String) -> Bool = { isLoopback($0) }

  package init() {}
}

/// Whether an address, as `Client` has it, leads to this machine itself.
package func isLoopback(_ host: String) -> Bool {
  host.hasPrefix("127.") || host == "0:0:0:0:0:0:0:1"
}
