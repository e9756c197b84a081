import Pipeline
import Posix

/// Keeps others from binding a path. The library would take it from whoever is bound there, without a word.
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
    case .failed(let error):
      .unusable(
        what: address.text, why: "\(path).lock: \(error.message)",
        remedy: "choose a directory that this user may write to")
    }
  }

  /// The library leaves its socket behind. The lock is still held here.
  deinit {
    _ = removeFile(path: path)
  }

  private static func makeDirectory(of path: String, for address: Address) throws(TransportError) {
    guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return }
    let directory = String(path[..<slash])
    do {
      try makePrivateDirectory(path: directory)
    } catch {
      throw .unusable(
        what: address.text, why: "\(directory): \(error.message)",
        remedy: "choose a directory that this user may make")
    }
  }
}
