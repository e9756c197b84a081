import Assembly
import Pipeline
import Posix

/// The log of a fleet in the background. Earlier fleets of the same run directory wrote to it too.
struct FleetLog: Sendable {
  private static let name = "fleet.log"
  /// A longer one makes room for a new one at a start; one old log stays beside it.
  private static let longest = 10 << 20
  private static let mostNews = 1 << 20

  private let directory: SafeDirectory
  /// The size of the log before, which is not shown again.
  private let bytesBefore: Int

  var path: String { "\(directory.path)/\(Self.name)" }

  init(in home: RunDirectory) throws(DistrustedPath) {
    directory = home.safe
    bytesBefore = try directory.reading(Self.name)?.size ?? 0
  }

  /// Whether a process writes there, as those of a fleet in the background do.
  func isOf(_ process: Int32) -> Bool { (try? linkTarget("/proc/\(process)/fd/2")) == path }

  /// For a fleet that is about to start: the log, and where it goes.
  static func opened(in home: RunDirectory) throws(DistrustedPath) -> (log: FleetLog, descriptor: Descriptor)
  {
    let former = try FleetLog(in: home)
    if former.bytesBefore > longest { _ = renameFile(former.path, to: former.path + ".1") }
    let descriptor = try home.safe.appending(name)
    return (try FleetLog(in: home), descriptor)
  }

  /// The lines that were added since.
  func news() -> [String] { lines(from: bytesBefore) }

  /// What a process of the fleet said last that was wrong.
  var lastError: String? {
    Self.errors(in: Self.sinceStart(lines(from: max(0, bytesBefore - Self.mostNews)))).last.map {
      $0.hasPrefix("halyard: ") ? String($0.dropFirst("halyard: ".count)) : $0
    }
  }

  /// The lines of the fleet that was started last, as far as it says that it was.
  static func sinceStart(_ lines: [String]) -> [String] {
    Array(lines[(lines.lastIndex { $0.contains(UpCommand.greeting) } ?? 0)...])
  }

  /// What was wrong, as a command says it. That a worker has ended, as `up` says, is not why.
  static func errors(in lines: [String]) -> [String] {
    lines.compactMap { line in
      let parts = line.split(separator: " ", maxSplits: 4).map(String.init)
      if parts.count == 5, parts[1] == LogLevel.error.rawValue {
        return parts[2] == "up" ? nil : "halyard: \(parts[2]): \(parts[4])"
      }
      let isError = ["halyard: ", "try: ", "<3>"].contains(where: line.hasPrefix)
      return isError || line.contains(#""level":"error""#) ? line : nil
    }
  }

  private func lines(from place: Int) -> [String] {
    guard let file = try? directory.reading(Self.name), (try? file.skip(to: place)) != nil else {
      return []
    }
    var bytes: [UInt8] = []
    while bytes.count < Self.mostNews, let chunk = try? file.readChunk(), !chunk.isEmpty { bytes += chunk }
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
