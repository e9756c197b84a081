import HalyardConcurrency

/// Work that does nothing, started and waited for.
enum ScopeBench {
  private static let count = 100_000

  static func run() async throws {
    print("scope: work that does nothing, for each")
    try await Main.measure("discarding task group", count: count) {
      await withDiscardingTaskGroup { group in for _ in 0..<count { group.addTask {} } }
    }
    for limit in [nil, 1, 64] {
      try await Main.measure("scope, \(limit.map { "\($0) at once" } ?? "any number at once")", count: count)
      {
        try await withTaskScope(limit: limit) { scope in
          for _ in 0..<count { try await scope.start {} }
        }
      }
    }
  }
}
