internal import CSandbox

/// Rules as a program for the kernel.
@safe
final class CallFilter {
  private let handle: scmp_filter_ctx

  init(_ rules: [CallRule]) throws(SandboxError) {
    guard let handle = unsafe seccomp_init(csandbox_refuse(UInt16(EPERM))) else {
      throw .failed(call: "seccomp_init", code: ENOMEM)
    }
    unsafe self.handle = unsafe handle
    // Looks a call up in a tree, where a list would cost more the further down its rule stands.
    try unsafe check(seccomp_attr_set(handle, SCMP_FLTATR_CTL_OPTIMIZE, 2), "seccomp_attr_set")
    for rule in rules { try add(rule) }
  }

  deinit { unsafe seccomp_release(handle) }

  private func add(_ rule: CallRule) throws(SandboxError) {
    let action =
      switch rule.outcome {
      case .allowed: csandbox_allow()
      case .unknown: csandbox_refuse(UInt16(ENOSYS))
      case .answeredByHandler: csandbox_trap()
      }
    let conditions = rule.conditions.map {
      scmp_arg_cmp(arg: $0.argument, op: SCMP_CMP_MASKED_EQ, datum_a: $0.mask, datum_b: $0.value)
    }
    try unsafe check(
      csandbox_add_rule(handle, action, rule.name, conditions, UInt32(conditions.count)), "seccomp_rule_add")
  }

  /// Makes it what threads of this process are confined by, together with a ruleset of Landlock, -1 being none.
  func install(with ruleset: Int32) throws(SandboxError) {
    try unsafe check(csandbox_take_filter(handle, ruleset), "seccomp_export_bpf")
  }

  /// The calling thread, and those that it makes, by this filter and a ruleset of Landlock, -1 being none.
  func confineThread(with ruleset: Int32) throws(SandboxError) {
    try unsafe check(csandbox_confine_this_thread_by(handle, ruleset), "seccomp")
  }
}

/// libseccomp returns the error number, negated.
private func check(_ code: Int32, _ call: String) throws(SandboxError) {
  if code < 0 { throw .failed(call: call, code: -code) }
}
