import Halyard

/// One service of each style, and each of them in all three styles.
func styles(_ client: HalyardClient, _ base: String) async throws {
  let called = client.title("\(base)/s/light").map(\.title).service
  let (awaited, iterated) = (called.asAsync(), called.asStream())
  for service in [awaited.asAsync(), called.asAsync(), iterated.asAsync()] {
    print("awaited:     \(try await service())")
  }
  for service in [awaited.asCallback(), called.asCallback(), iterated.asCallback()] {
    let answer = await withCheckedContinuation { caller in service { caller.resume(returning: $0) } }
    print("called back: \(try answer.get())")
  }
  for service in [awaited.asStream(), called.asStream(), iterated.asStream()] {
    for try await title in service() { print("iterated:    \(title)") }
  }
}
