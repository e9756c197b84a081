internal import CSandbox

/// The kernel's word that the threads of this process open no file and no socket, and start no program.
///
/// A thread can be confined only by itself, so each is asked by a signal. Threads that a confined one makes are confined from
/// their start. It cannot be undone.
package struct Confinement: Hashable, Sendable {
  /// The version of Landlock that holds too; nil where the kernel has none.
  package let landlockVersion: Int?

  private static let longestMilliseconds: Int64 = 10_000

  /// Confines the calling thread, and the threads that it makes from then on, to making connections: for those of a library,
  /// which cannot be asked as they block all signals. ``confineThreads()`` leaves them as they are.
  ///
  /// - Parameter directories: Where the Unix sockets are that it may connect to, as far as the kernel can tell by the path:
  ///   with Landlock 9 (Linux 7.1). Without, that is any one which this user may open.
  package static func confineThread(
    toMaking connections: Connections, in directories: [String] = []
  ) throws(SandboxError) {
    try confineThread(
      by: CallRule.connecting(connections, process: getpid(), policy: csandbox_policy()),
      besides: connections, in: directories)
  }

  /// Confines the calling thread, and the threads that it makes from then on, to serving connections to sockets that listen
  /// already. ``confineThreads()`` leaves them as they are.
  package static func confineThreadToServing() throws(SandboxError) {
    try confineThread(by: CallRule.serving(process: getpid()))
  }

  private static func confineThread(
    by rules: [CallRule], besides connections: Connections = [], in directories: [String] = []
  ) throws(SandboxError) {
    guard KernelSandbox.hasFilters else { throw .unsupported }
    try CallFilter(rules).confineThread(
      with: ruleset(KernelSandbox.landlockVersion, besides: connections, in: directories))
  }

  /// Confines all threads of this process, and returns when they are. To be called once, after everything has been opened
  /// that will be needed. It blocks the calling thread for some milliseconds.
  package static func confineThreads() throws(SandboxError) -> Confinement {
    try confineThreads(within: longestMilliseconds)
  }

  static func confineThreads(within milliseconds: Int64) throws(SandboxError) -> Confinement {
    guard KernelSandbox.hasFilters else { throw .unsupported }
    let landlock = KernelSandbox.landlockVersion
    try prepare(landlock)
    defer { csandbox_drop_ruleset() }
    try confineOthers(until: csandbox_milliseconds() + milliseconds)
    guard csandbox_confine_this_thread() == 0 else { throw .failed(call: "seccomp", code: csandbox_errno()) }
    return Confinement(landlockVersion: landlock)
  }

  private static func prepare(_ landlock: Int?) throws(SandboxError) {
    let standIn = csandbox_make_stand_in()
    guard standIn >= 0 else { throw .failed(call: "memfd_create", code: csandbox_errno()) }
    let filter = try CallFilter(CallRule.decoding(process: getpid(), standIn: standIn))
    try filter.install(with: try ruleset(landlock))
    guard csandbox_catch_signal() == 0 else { throw .failed(call: "sigaction", code: csandbox_errno()) }
  }

  /// - Returns: -1 without Landlock.
  private static func ruleset(
    _ landlock: Int?, besides connections: Connections = [], in directories: [String] = []
  ) throws(SandboxError) -> Int32 {
    guard let landlock else { return -1 }
    return try LandlockRights(
      version: landlock, scopeSparesOwnProcess: KernelSandbox.scopeSparesOwnProcess, besides: connections,
      in: directories
    ).ruleset()
  }

  /// Until two looks in a row find none that is left: one may have been about to start another.
  private static func confineOthers(until deadline: Int64) throws(SandboxError) {
    let own = csandbox_this_thread()
    guard let before = try ProcessThread.all().first(where: { $0.id == own })?.filters else {
      throw .filtersNotTold
    }
    var looksWithoutAny = 0
    while looksWithoutAny < 2 {
      let left = try ProcessThread.all().filter { thread in
        // None tells how many only where that is more than none.
        thread.id != own && (thread.filters ?? 1) <= before
      }
      let failure = csandbox_take_failure()
      guard failure == 0 else { throw .failed(call: "seccomp", code: failure) }
      looksWithoutAny = left.isEmpty ? looksWithoutAny + 1 : 0
      guard !left.isEmpty else { continue }
      guard csandbox_milliseconds() < deadline else { throw .threadsLeft(left.map(\.name).sorted()) }
      for thread in left { _ = csandbox_ask(thread.id) }
      csandbox_pause()
    }
  }
}
