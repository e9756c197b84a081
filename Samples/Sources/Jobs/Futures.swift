import Halyard
import HalyardConcurrency

/// A value that is fetched meanwhile, a channel between two tasks, and the scope that both end with.
func futures(_ client: HalyardClient, _ base: String) async throws {
  async let total = client.decode(Int.self, from: "\(base)/api/users", select: "/total").get().value
  let titles = TaskChannel<String>(capacity: 2)
  try await withTaskScope { scope in
    try await scope.start {
      defer { titles.close() }
      for number in 1...3 {
        try await titles.send(try await client.title("\(base)/people/\(number)").get().title)
      }
    }
    for try await title in titles { print(title) }
  }
  print("of \(try await total)")
}
