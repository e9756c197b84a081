internal import CSandbox

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
