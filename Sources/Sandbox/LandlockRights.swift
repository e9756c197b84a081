internal import CSandbox

/// All that a version of Landlock can deny, as bits.
struct LandlockRights: Hashable {
  var files: UInt64
  var ports: UInt64 = 0
  var scopes: UInt64 = 0
  /// Files that may be read, with all others in their directories: what replaces one is another file to the kernel.
  var readable: [String] = []
  /// Directories with Unix sockets that may be connected to.
  var connectable: [String] = []

  private static let (readingFiles, connectingToSockets) = (UInt64(0x4), UInt64(0x1_0000))
  private static let (bindingPorts, connectingToPorts) = (UInt64(0x1), UInt64(0x2))
  private static let (abstractSockets, signals) = (UInt64(0x1), UInt64(0x2))

  /// - Parameters:
  ///   - scopeSparesOwnProcess: Without that a thread could not signal the others of its process: each has a domain of its own.
  ///   - connections: What is not denied.
  ///   - directories: Where the Unix sockets of these connections are.
  init(
    version: Int, scopeSparesOwnProcess: Bool, besides connections: Connections = [],
    in directories: [String] = []
  ) {
    // Reading, writing, making and deleting; then moving, cutting short, and controlling devices.
    files = version >= 5 ? 0xFFFF : version >= 3 ? 0x7FFF : version >= 2 ? 0x3FFF : 0x1FFF
    if version >= 9 {
      files |= Self.connectingToSockets
      if connections.contains(.unix) { connectable = directories }
    }
    if version >= 4 { ports = Self.bindingPorts | Self.connectingToPorts }
    if version >= 6 { scopes = Self.abstractSockets | (scopeSparesOwnProcess ? Self.signals : 0) }
    if connections.contains(.internet) {
      ports &= ~Self.connectingToPorts
      readable = ["/etc/hosts", "/etc/nsswitch.conf", "/etc/resolv.conf"]
    }
  }

  /// A descriptor of what denies all of it.
  func ruleset() throws(SandboxError) -> Int32 {
    let ruleset = csandbox_make_ruleset(files, ports, scopes)
    guard ruleset >= 0 else { throw .failed(call: "landlock_create_ruleset", code: csandbox_errno()) }
    for file in readable {
      guard unsafe csandbox_allow_beside(ruleset, Self.readingFiles, file) == 0 else {
        throw .failed(call: "landlock_add_rule \(file)", code: csandbox_errno())
      }
    }
    for directory in connectable {
      guard unsafe csandbox_allow_below(ruleset, Self.connectingToSockets, directory) == 0 else {
        throw .failed(call: "landlock_add_rule \(directory)", code: csandbox_errno())
      }
    }
    return ruleset
  }
}
