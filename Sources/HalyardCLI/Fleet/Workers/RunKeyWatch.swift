import Assembly
import Pipeline
import Posix
import Roles

/// The fleet has another key than the one with which this process came to it.
struct OtherRunKey: Error {
  let path: String
}

/// Sees to it that the key of a run directory stays there while a process of its fleet works: without it, what starts
/// after a cleaner of temporary files came by would make another key, and could do nothing with it.
struct RunKeyWatch: Sendable {
  enum Part: Sendable {
    /// Its key counts; there is only one.
    case aggregator
    case member
    /// It only looks: it may be another user, whose file the fleet could not read.
    case client
  }

  private let file: RunKeyFile
  private let key: RunKey
  private let part: Part
  private let ports: RolePorts

  static let lookMilliseconds: Int64 = 2_000

  /// nil without a key, as over TCP.
  init?(of place: FleetPlace, _ key: RunKey?, as part: Part, _ ports: RolePorts) {
    guard let file = RunKeyFile(of: place), let key else { return nil }
    (self.file, self.key, self.part, self.ports) = (file, key, part, ports)
  }

  /// Runs `body`, and ends it when the fleet has another key.
  static func around<Answer: Sendable>(
    _ watch: RunKeyWatch?, _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    guard let watch else { return try await body() }
    return try await withThrowingTaskGroup(of: Answer.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask {
        _ = try await watch.otherKey()
        throw OtherRunKey(path: watch.file.path)
      }
      guard let answer = try await group.next() else { throw CancellationError() }
      return answer
    }
  }

  /// Works until there is another key, and returns it.
  func otherKey() async throws -> RunKey {
    var looks = 0
    var isTroubled = false
    while true {
      try await ports.clock.sleep(until: ports.clock.now.advanced(byMilliseconds: Self.lookMilliseconds))
      do {
        let found = try file.read()
        if let found, found != key {
          // The aggregator has a look of its own to put it right.
          looks += 1
          if part == .aggregator { try restore(over: true) } else if looks > 1 { return found }
        } else {
          looks = 0
          if found == nil, part != .client { try restore(over: false) }
        }
        isTroubled = false
      } catch {
        if !isTroubled { tell("the fleet's key cannot be kept", LogField("cause", Reload.words(error))) }
        isTroubled = true
      }
    }
  }

  private func restore(over other: Bool) throws {
    if other { _ = removeFile(path: file.path) }
    guard try file.kept(key) == key else { return }
    tell(other ? "the fleet's key was replaced" : "the fleet's key was removed", LogField("made again", true))
  }

  private func tell(_ words: StaticString, _ field: LogField) {
    ports.log.record(.warning, words, [LogField("path", file.path), field])
  }
}
