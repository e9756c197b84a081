import Halyard

/// Follows a link, and then reads the title of where it leads. Errors are typed, and a cancelled call has a result too.
func unfurl(_ client: HalyardClient, _ base: String) async throws {
  do throws(HalyardError) {
    let link = try await client.unfurl("\(base)/s/light").get()
    let page = try await client.title(link.url).get()
    print("\(link.hops.count) redirects to \(page.title)")
    _ = try await client.title("\(base)/api/users/0").get()
  } catch {
    print("\(error.kind), status \(error.status ?? 0)")
  }
  let call = Task { await client.title("\(base)/s/light").result() }
  call.cancel()
  if case .failure(let error) = await call.value { print("\(error.kind)") }
}
