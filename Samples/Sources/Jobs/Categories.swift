import Halyard

private struct Item: Decodable {
  var name: String
}

/// Categories side by side, each with its first items, in a fixed order.
func categories(_ client: HalyardClient, _ base: String) async throws {
  let links = ["tv", "movies", "news"].map { "\(base)/api/feeds/\($0)?limit=1" }
  let items = client.values(of: links) { $0.decode([Item].self, from: $1, select: "/feed/results") }
  for try await category in items {
    print(category.resolved.input.dropFirst(base.count), category.value.map(\.name))
  }
}
