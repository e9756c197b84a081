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

/// A thread of this process, as the kernel tells of it.
struct ProcessThread: Hashable {
  let id: Int32
  let name: String
  /// How many filters it has, its own and those of whatever started the process; nil when it has some, and the kernel does
  /// not tell how many, as before 5.9.
  let filters: Int?

  /// - Parameter status: The text of its file `status` in /proc.
  init?(_ id: Int32, status: String) {
    var fields: [Substring: Substring] = [:]
    for line in status.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      fields[line[..<colon]] = line[colon...].dropFirst().drop { $0 == "\t" || $0 == " " }
    }
    guard let name = fields["Name"], let mode = fields["Seccomp"].flatMap({ Int($0) }),
      fields["State"]?.hasPrefix("Z") != true
    else { return nil }
    self.id = id
    self.name = String(name)
    filters = mode == 0 ? 0 : fields["Seccomp_filters"].flatMap { Int($0) }
  }

  /// All there are; one that has ended is left out.
  static func all() throws(SandboxError) -> [ProcessThread] {
    let directory = "/proc/self/task"
    guard let stream = unsafe opendir(directory) else {
      throw .failed(call: "opendir \(directory)", code: csandbox_errno())
    }
    defer { unsafe closedir(stream) }
    var threads: [ProcessThread] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe String(cString: csandbox_entry_name(entry))
      guard let id = Int32(name), let status = text(of: "\(directory)/\(name)/status"),
        let thread = ProcessThread(id, status: status)
      else { continue }
      threads.append(thread)
    }
    return threads
  }

  private static func text(of path: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = unsafe csandbox_read_file(path, &bytes, bytes.count)
    return count < 0 ? nil : String(decoding: bytes[..<count], as: UTF8.self)
  }
}

/// Why threads could not be confined.
package enum SandboxError: Error, Hashable, Sendable {
  /// The kernel has no filters of system calls, or this kind of machine is not known.
  case unsupported
  /// A call failed, with the error number it left.
  case failed(call: String, code: Int32)
  /// The process was started with a filter, and the kernel does not tell which threads have one more.
  case filtersNotTold
  /// Threads that block the signal that asks them, by their names.
  case threadsLeft([String])

  /// Whether the same would happen the next time: the kernel, or a filter around this process, forbids it. A lack of memory
  /// or descriptors passes.
  package var isPermanent: Bool {
    switch self {
    case .unsupported, .filtersNotTold: true
    case .failed(_, let code): [EPERM, EACCES, EINVAL, ENOSYS, EOPNOTSUPP].contains(code)
    case .threadsLeft: false
    }
  }

  /// One line for people.
  package var message: String {
    switch self {
    case .unsupported: "this kernel does not filter system calls"
    case .failed(let call, let code):
      "\(call): \(unsafe csandbox_error_text(code).map { unsafe String(cString: $0) } ?? "error \(code)")"
    case .filtersNotTold:
      "this process was started with a filter of system calls, and a kernel before 5.9 does not tell filters apart"
    case .threadsLeft(let names): "threads did not answer: \(names.joined(separator: ", "))"
    }
  }
}
