import Assembly
import JSONQuery
import Pipeline
import Posix

/// What this machine's files and processes say of a fleet that does not answer.
enum FleetCondition: Hashable, Sendable {
  /// It is elsewhere, or its directory tells this user nothing.
  case unknown
  /// Nothing listens at its port of this machine.
  case unbound
  /// Something listens at its port of this machine, and does not say a word.
  case silent
  /// No process of it runs. The words are those of `up` when it ended by itself.
  case absent(words: String?)
  /// `up` was killed, and these workers outlive it.
  case killed(workers: [Int32])
  /// `up` runs, and starts its aggregator again after a pause.
  case restarting(up: Int32)
  /// `up` ends, in these words: one of its workers cannot run.
  case ending(up: Int32, words: String)
  /// Somebody stopped a process of it, as Ctrl-Z does.
  case stopped(Int32)
  case mute(aggregator: Int32)
  /// The fleet of this directory listens at another address.
  case elsewhere(String)

  init(of place: FleetPlace, in directory: String?) {
    guard let directory = place.directory ?? directory else {
      self = place.loopbackPort.map { Self.isRefused(at: $0) ? .unbound : .silent } ?? .unknown
      return
    }
    do {
      self = try Self.found(place, directory)
    } catch {
      self = .unknown
    }
  }

  private static func isRefused(at port: UInt16) -> Bool {
    do throws(PosixError) {
      _ = try StreamSocket.connect(port: port, milliseconds: 1_000)
      return false
    } catch {
      return error.isRefused
    }
  }

  private static func found(_ place: FleetPlace, _ directory: String) throws -> FleetCondition {
    guard isDirectory(directory) else { return .absent(words: nil) }
    let home = try RunDirectory(checking: directory)
    let up = try RunningFleet.process(in: directory)
    guard let aggregator = try aggregator(of: place, directory) else {
      if !place.isRunDirectory, let other = LedgerMark.noted(in: directory)?.address,
        other != place.address.text, try Self.aggregator(of: FleetPlace(other), directory) != nil
      {
        return .elsewhere(other)
      }
      guard let up else {
        let workers = try RunningFleet.workers(in: directory)
        guard workers.isEmpty else { return .killed(workers: workers) }
        return place.directory == nil ? .unknown : .absent(words: FleetEnd.words(in: home))
      }
      if RunningFleet.isStopped(up) { return .stopped(up) }
      return FleetEnd.words(in: home).map { .ending(up: up, words: $0) } ?? .restarting(up: up)
    }
    return RunningFleet.isStopped(aggregator) ? .stopped(aggregator) : .mute(aggregator: aggregator)
  }

  /// The process that holds the fleet's socket; without a socket, the worker of `up` with that name.
  private static func aggregator(of place: FleetPlace, _ directory: String) throws -> Int32? {
    guard place.directory == nil else {
      return try FileClaim.holder(path: "\(place.address.text.dropFirst("ipc://".count)).lock")
    }
    return try RunningFleet.workers(in: directory).first { process in
      let words = try? Descriptor.reading(path: "/proc/\(process)/cmdline").readChunk(limit: 4_096)
      return (words ?? []).split(separator: 0).dropFirst().first.map(Array.init) == Array("aggregator".utf8)
    }
  }

  /// Nothing that could answer runs.
  var isAbsent: Bool {
    if case .absent = self { true } else if case .killed = self { true } else { false }
  }

  /// Behind `no fleet answers`; empty for what is not known.
  var reason: String {
    switch self {
    case .unknown: ""
    case .unbound: ": nothing listens there"
    case .silent:
      ": something listens there and does not answer: it is stopped, or a fleet that answers those alone who have a --key of"
        + " it, or stand in its --allow-keys"
    case .absent(nil): ": no process of it runs"
    case .absent(let words?): ": it ended by itself: \(words)"
    case .killed(let workers):
      ": it was killed; its workers finish their jobs: process \(workers.map(String.init).joined(separator: ", "))"
    case .restarting(let up): ": its aggregator has ended, and 'halyard up', process \(up), starts it again"
    case .ending(let up, let words): ": 'halyard up', process \(up), is ending: \(words)"
    case .stopped(let process): ": its process \(process) is stopped"
    case .mute(let process):
      ": its aggregator, process \(process), runs and does not answer; its log may say what it waits for. If it does not answer"
        + " for minutes, end it with 'kill -9 \(process)', and it is started again"
    case .elsewhere(let address):
      ": no such socket is there; the fleet of this directory listens at \(address)"
    }
  }
}

/// Why `up` ended by itself, kept in its run directory until the next one starts there.
enum FleetEnd {
  private static let note = "fleet.end"

  static func forget(in home: RunDirectory) { _ = removeFile(path: "\(home.safe.path)/\(note)") }

  /// - Parameter status: The exit code of the worker that cannot run.
  static func keep(_ status: Int32, in home: RunDirectory) throws {
    let (log, path) = (try FleetLog(in: home), StreamFile(of: 2)?.path)
    let error = path == log.path ? log.lastError.map { ", with the error '\($0)'" } : nil
    let place = path.map { "; its log is \($0)\(error ?? "")" } ?? ""
    // A full disk may have no room for it.
    _ = try home.safe.keep(Array("a worker ended with exit code \(status)\(place)".utf8), as: note)
  }

  static func words(in home: RunDirectory) -> String? {
    let text = try? home.safe.reading(note)?.readChunk(limit: 4_096)
    return text.map { String(decoding: $0, as: UTF8.self) }
  }
}

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

  /// What a process of the fleet that was started last said last that was wrong.
  var lastError: String? {
    let lines = lines(from: max(0, bytesBefore - Self.mostNews))
    return lines[(lines.lastIndex { $0.contains(UpCommand.greeting) } ?? 0)...].compactMap(Self.error).last
  }

  /// What was wrong, as a command says it. That a worker has ended, as `up` says, is not why.
  static func errors(in lines: [String]) -> [String] {
    lines.compactMap { line in
      line.hasPrefix("try: ") ? line : error(line).map { "halyard: \($0)" }
    }
  }

  /// What a line in any of its forms says that was wrong; nil when it says something else.
  private static func error(_ line: String) -> String? {
    if let start = ["halyard: ", "<3>"].first(where: line.hasPrefix) {
      return told(String(line.dropFirst(start.count)))
    }
    if let event = try? JSONDocument(parsing: Array(line.utf8)).root {
      guard event["level"]?.string == LogLevel.error.rawValue, let words = event["event"]?.string else {
        return nil
      }
      let cause = event["cause"]?.string.map { ": \($0)" } ?? ""
      return told("\(event["role"]?.string ?? ""): \(words)\(cause)")
    }
    let parts = line.split(separator: " ", maxSplits: 4).map(String.init)
    guard parts.count == 5, parts[1] == LogLevel.error.rawValue else { return nil }
    return told("\(parts[2]): \(parts[4])")
  }

  private static func told(_ words: String) -> String? {
    words.hasPrefix("up: ") && words.contains(" ended with exit code ") ? nil : words
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
