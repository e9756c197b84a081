internal import CSandbox

/// The kernel's word that the threads of this process open no file and no socket, and start no program.
///
/// A thread can be confined only by itself, so each is asked by a signal. Threads that a confined one makes are confined from
/// their start. It cannot be undone.
public struct Confinement: Hashable, Sendable {
  /// The version of Landlock that holds too; nil where the kernel has none.
  public let landlockVersion: Int?

  /// Threads that stay as they are, because they make connections for the others.
  public struct Spared: Sendable {
    /// What their names begin with.
    public var name: String
    /// How many there are when all of them have started.
    public var count: Int

    public init(name: String, count: Int) {
      (self.name, self.count) = (name, count)
    }

    func contains(_ thread: ProcessThread) -> Bool { thread.name.hasPrefix(name) }
  }

  private static let longestMilliseconds: Int64 = 10_000

  /// Confines all threads of this process, and returns when they are. To be called once, after everything has been opened
  /// that will be needed. It blocks the calling thread for some milliseconds.
  public static func confineThreads(sparing spared: Spared? = nil) throws(SandboxError) -> Confinement {
    guard KernelSandbox.hasFilters else { throw .unsupported }
    let landlock = KernelSandbox.landlockVersion
    try prepare(landlock)
    defer { csandbox_drop_ruleset() }
    let deadline = csandbox_milliseconds() + longestMilliseconds
    if let spared { try wait(for: spared, until: deadline) }
    try confineOthers(sparing: spared, until: deadline)
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
  private static func ruleset(_ landlock: Int?) throws(SandboxError) -> Int32 {
    guard let landlock else { return -1 }
    return try LandlockRights(
      version: landlock, scopeSparesOwnProcess: KernelSandbox.scopeSparesOwnProcess
    ).ruleset()
  }

  /// A library's thread names itself, and would be taken for another one before.
  private static func wait(for spared: Spared, until deadline: Int64) throws(SandboxError) {
    while try ProcessThread.all().count(where: spared.contains) < spared.count {
      guard csandbox_milliseconds() < deadline else { throw .sparedThreadsMissing(name: spared.name) }
      csandbox_pause()
    }
  }

  /// Until two looks in a row find none that is left: one may have been about to start another.
  private static func confineOthers(sparing spared: Spared?, until deadline: Int64) throws(SandboxError) {
    let own = csandbox_this_thread()
    guard let before = try ProcessThread.all().first(where: { $0.id == own })?.filters else {
      throw .filtersNotTold
    }
    var looksWithoutAny = 0
    while looksWithoutAny < 2 {
      let left = try ProcessThread.all().filter { thread in
        // None tells how many only where that is more than none.
        thread.id != own && (thread.filters ?? 1) <= before && spared?.contains(thread) != true
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
