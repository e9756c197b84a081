import Pipeline
import Posix

/// Keeps others from binding a path. The library would silently take it from the inbox that is bound there.
struct PathClaim: ~Copyable {
  private let path: String
  private let claim: FileClaim

  init(_ path: String, for address: Address) throws(TransportError) {
    self.path = path
    try Self.makeDirectory(of: path, for: address)
    do throws(FileClaim.Refusal) {
      claim = try FileClaim(path: path + ".lock")
    } catch {
      throw Self.refusal(error, of: path, for: address)
    }
  }

  private static func refusal(
    _ refusal: FileClaim.Refusal, of path: String, for address: Address
  ) -> TransportError {
    switch refusal {
    case .held(let process): .addressInUse(address, process: process)
    case .distrusted(let error): distrusted(error, for: address)
    case .failed(let error):
      .unusable(
        what: address.text, why: "\(path).lock: \(error.message)",
        remedy: error.isNoRoom ? "make room on its disk" : "choose a directory that this user may write to")
    }
  }

  /// The library leaves its socket behind. The lock is still held here.
  deinit {
    _ = removeFile(path: path)
  }

  private static func makeDirectory(of path: String, for address: Address) throws(TransportError) {
    do throws(DistrustedPath) {
      _ = try SafeDirectory(makingLast: directory(of: path))
    } catch {
      throw distrusted(error, for: address)
    }
  }

  /// A socket where others could put theirs in its place is none of the fleet's. What is not there yet can be made.
  static func checkDirectory(of path: String, for address: Address) throws(TransportError) {
    do throws(DistrustedPath) {
      _ = try SafeDirectory(checking: directory(of: path))
    } catch {
      if error.reason != .missing { throw distrusted(error, for: address) }
    }
  }

  private static func directory(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "/"
  }

  private static func distrusted(_ error: DistrustedPath, for address: Address) -> TransportError {
    .unusable(
      what: address.text, why: error.message, remedy: "a socket's directory has to be its user's own")
  }
}
