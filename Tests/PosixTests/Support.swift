import Glibc

@testable import Posix

/// A user that is none of ours.
let stranger: UInt32 = 65_534
/// Only root can give files to others.
let isRoot = geteuid() == 0

func write(_ text: String, to path: String, mode: UInt32 = 0o600) throws {
  try Descriptor.writing(path: path).writeAll(Array(text.utf8))
  setMode(path, mode)
}

func content(of path: String) throws -> String {
  String(decoding: try Descriptor.reading(path: path).readChunk(), as: UTF8.self)
}

func mode(of path: String) throws -> UInt32? { try FileFacts(at: path)?.mode }

func setMode(_ path: String, _ mode: UInt32) { _ = unsafe chmod(path, mode) }

func give(_ path: String) { _ = unsafe lchown(path, stranger, stranger) }

func giveToGroup(_ path: String) { _ = unsafe chown(path, geteuid(), stranger) }

func group(of path: String) -> UInt32? {
  var status = stat()
  return unsafe stat(path, &status) == 0 ? status.st_gid : nil
}

func makeLink(_ target: String, at path: String) { _ = unsafe symlink(target, path) }

func makePipe(_ path: String) { _ = unsafe mkfifo(path, 0o600) }
