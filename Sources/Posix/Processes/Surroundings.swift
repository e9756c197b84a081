internal import CPosix

/// This process's id.
public var processID: Int32 { getpid() }

/// The program that this process runs; nil when the system does not tell.
public func programPath() -> String? {
  unsafe writtenText { buffer, room in
    (1..<room).contains(unsafe readlink("/proc/self/exe", buffer, room))
  }
}

/// What this machine calls itself.
public var hostName: String {
  let name = unsafe writtenText(room: 256) { unsafe gethostname($0, $1 - 1) == 0 } ?? ""
  return name.isEmpty ? "localhost" : name
}

public var userID: UInt32 { getuid() }

/// The name of this process's user; nil when the system knows none.
public var userName: String? {
  unsafe writtenText(room: 256) { unsafe cposix_user_name(userID, $0, $1) > 0 }
}

/// Gives blocks of 256 KiB and more back to the system as soon as they are freed.
///
/// Left alone, glibc keeps ever larger ones for later, and a thousand large bodies at once take half as much again.
public func returnLargeBlocks() {
  cposix_map_blocks_from(256 << 10, 16 << 20)
}

/// Whether there is such a file and this process may read it.
public func mayReadFile(_ path: String) -> Bool { unsafe access(path, R_OK) == 0 }

/// Whether there is such a file and this process may write it: its mode, its attributes and its disk let it.
public func mayWriteFile(_ path: String) -> Bool { unsafe access(path, W_OK) == 0 }

/// A path from the root, whatever the working directory becomes.
public func absolutePath(_ path: String) -> String {
  guard !path.hasPrefix("/"), let directory = unsafe writtenText({ unsafe getcwd($0, $1) != nil }) else {
    return path
  }
  return path == "." ? directory : "\(directory)/\(path)"
}

/// A path without links; as it was when nothing is there.
public func resolvedPath(_ path: String) -> String {
  unsafe writtenText { buffer, _ in unsafe realpath(path, buffer) != nil } ?? path
}

/// Whether there is anything at a path.
public func fileExists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

public func isDirectory(_ path: String) -> Bool {
  unsafe cposix_is_directory(path) != 0
}

/// Bytes that this user may still write on the file system of a file; nil when the system does not tell.
public func freeBytes(at path: String) -> Int64? {
  let free = unsafe cposix_free_bytes(path)
  return free < 0 ? nil : free
}

/// Bytes of the file system of a file, written or not; nil when the system does not tell.
public func totalBytes(at path: String) -> Int64? {
  let total = unsafe cposix_total_bytes(path)
  return total < 0 ? nil : total
}

/// The names in a directory, in no order; none when it cannot be read.
public func fileNames(in directory: String) -> [String] {
  guard let stream = unsafe opendir(directory) else { return [] }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    unsafe names.append(String(cString: cposix_entry_name(entry)))
  }
  return names.filter { $0 != "." && $0 != ".." }
}

/// What a process does, in a word; nil when the system does not tell.
public func processState(_ id: Int32) -> String? {
  guard let line = statusLine("State", of: id), let open = line.firstIndex(of: "(") else { return nil }
  return String(line[open...].dropFirst().prefix { $0 != ")" })
}

/// Which process started this one; nil when the system does not tell.
public func parentProcess(of id: Int32) -> Int32? {
  statusLine("PPid", of: id)?.split(separator: "\t").last.flatMap { Int32($0) }
}

private func statusLine(_ name: String, of id: Int32) -> Substring? {
  guard let text = try? Descriptor.reading(path: "/proc/\(id)/status").readChunk(limit: 4_096) else {
    return nil
  }
  return String(decoding: text, as: UTF8.self).split(separator: "\n").first { $0.hasPrefix("\(name):") }
}

/// Whether there is a process with this id, of any user.
public func processExists(_ id: Int32) -> Bool {
  kill(id, 0) == 0 || cposix_errno() != ESRCH
}

/// The process's environment variables.
public func environmentVariables() -> [String: String] {
  var variables: [String: String] = [:]
  guard var entry = unsafe cposix_environment() else { return variables }
  while let text = unsafe entry.pointee {
    let pair = unsafe String(cString: text).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if pair.count == 2 { variables[String(pair[0])] = String(pair[1]) }
    unsafe entry += 1
  }
  return variables
}
