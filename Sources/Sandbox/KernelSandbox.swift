internal import CSandbox

/// What the kernel can confine a process with.
public enum KernelSandbox {
  /// Whether a process may filter its own system calls, as ``Confinement`` does.
  public static var hasFilters: Bool {
    csandbox_knows_machine() != 0 && csandbox_has_action(csandbox_refuse(0)) != 0
      && csandbox_has_action(csandbox_trap()) != 0
  }

  /// The version of Landlock; nil without.
  public static var landlockVersion: Int? {
    let version = Int(csandbox_landlock_version())
    return version > 0 ? version : nil
  }
}

/// All that a version of Landlock can deny, as bits.
struct LandlockRights: Hashable {
  var files: UInt64
  var ports: UInt64 = 0
  var scopes: UInt64 = 0

  init(version: Int) {
    // Reading, writing, making and deleting; then moving, cutting short, and controlling devices.
    files = version >= 5 ? 0xFFFF : version >= 3 ? 0x7FFF : version >= 2 ? 0x3FFF : 0x1FFF
    if version >= 4 { ports = 0x3 }
    // Abstract sockets. Signals stay within the process anyway, and each thread counts as a process here.
    if version >= 6 { scopes = 0x1 }
  }
}
