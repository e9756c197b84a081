import Halyard

/// The title of a page, asked for in each of the three styles.
func title(_ client: HalyardClient, _ base: String) async throws {
  let link = "\(base)/s/light"
  // Awaited.
  let page = try await client.title(link).get()
  print("awaited:     \(page.title)")

  // Called back; the chain is one job, and one GET.
  let (results, answered) = AsyncStream.makeStream(of: Result<PageInfo, HalyardError>.self)
  let handle = client.unfurl(link).title().call { answered.yield($0) }
  for await result in results.prefix(1) { print("called back: \(try result.get().title)") }
  // It is over, so this does nothing.
  handle.cancel()

  // Iterated.
  for try await page in client.title(link).stream { print("iterated:    \(page.title)") }
}
