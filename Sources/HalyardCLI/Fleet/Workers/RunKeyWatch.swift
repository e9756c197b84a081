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
  private let file: RunKeyFile
  private let key: RunKey
  /// This key counts, as that of the aggregator does: it is put in the place of any other.
  private let counts: Bool
  private let ports: RolePorts

  static let lookMilliseconds: Int64 = 2_000

  /// nil without a key, as over TCP.
  init?(of place: FleetPlace, _ key: RunKey?, counts: Bool = false, _ ports: RolePorts) {
    guard let file = RunKeyFile(of: place), let key else { return nil }
    (self.file, self.key, self.counts, self.ports) = (file, key, counts, ports)
  }

  /// Runs `body`, and cancels it when the fleet has another key.
  static func around<Answer: Sendable>(
    _ watch: RunKeyWatch?, _ body: @escaping @Sendable () async throws -> Answer
  ) async throws -> Answer {
    guard let watch else { return try await body() }
    return try await withThrowingTaskGroup(of: Answer?.self) { group in
      defer { group.cancelAll() }
      group.addTask { try await body() }
      group.addTask {
        // When it is cancelled, what the body comes to counts.
        guard await watch.seesOtherKey() else { return nil }
        throw OtherRunKey(path: watch.file.path)
      }
      while let end = try await group.next() {
        if let end { return end }
      }
      throw CancellationError()
    }
  }

  /// Works until there is another key; false when it is cancelled.
  private func seesOtherKey() async -> Bool {
    var looks = 0
    var isTroubled = false
    while true {
      let next = ports.clock.now.advanced(byMilliseconds: Self.lookMilliseconds)
      guard (try? await ports.clock.sleep(until: next)) != nil else { return false }
      do {
        switch try file.read() {
        case key: looks = 0
        // Also when something else is there that is no key.
        case nil: try restore("the fleet's key was removed")
        case _ where counts: try restore("the fleet's key was replaced")
        case _:
          // Whose key counts has a look of its own to put it right.
          looks += 1
          if looks > 1 { return true }
        }
        isTroubled = false
      } catch {
        if !isTroubled { tell("the fleet's key cannot be kept", LogField("cause", Reload.words(error))) }
        isTroubled = true
      }
    }
  }

  private func restore(_ words: StaticString) throws {
    if counts { _ = removeFile(path: file.path) }
    guard try file.kept(key) == key else { return }
    tell(words, LogField("made again", true))
  }

  private func tell(_ words: StaticString, _ field: LogField) {
    ports.log.record(.warning, words, [LogField("path", file.path), field])
  }
}
