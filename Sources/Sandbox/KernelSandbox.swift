internal import CSandbox

/// What the kernel can confine a process with.
package enum KernelSandbox {
  /// Whether a process may filter its own system calls, as ``Confinement`` does.
  package static var hasFilters: Bool {
    csandbox_knows_machine() != 0 && csandbox_has_action(csandbox_refuse(0)) != 0
      && csandbox_has_action(csandbox_trap()) != 0
  }

  /// The version of Landlock; nil without.
  package static var landlockVersion: Int? {
    let version = Int(csandbox_landlock_version())
    return version > 0 ? version : nil
  }

  /// Whether threads of one process can signal each other although Landlock keeps each of them from all other processes.
  static var scopeSparesOwnProcess: Bool { csandbox_scope_spares_own_process() != 0 }
}
