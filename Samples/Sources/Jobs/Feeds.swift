import Halyard

/// Feeds are fetched side by side in a task group, and printed in their order.
func feeds(_ client: HalyardClient, _ base: String) async throws {
  let names = ["music", "books", "apps"]
  let titles = try await withThrowingTaskGroup(of: (String, String).self) { group in
    for name in names {
      let title = client.decode(String.self, from: "\(base)/api/feeds/\(name)", select: "/feed/title")
      group.addTask { (name, try await title.get().value) }
    }
    return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
  }
  for name in names { print(name, titles[name] ?? "") }
}
