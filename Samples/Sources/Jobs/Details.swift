import Halyard

private struct User: Decodable {
  var id: Int
}

/// A list, and then the details of each. The first failure cancels the rest.
func details(_ client: HalyardClient, _ base: String) async throws {
  let users = try await client.decode([User].self, from: "\(base)/api/users", select: "/data").get().value
  let links = users.map { "\(base)/api/users/\($0.id)" }
  for links in [links, links + ["\(base)/api/users/0"]] {
    let mails = client.values(of: links) { $0.decode(String.self, from: $1, select: "/data/email") }
    do throws(HalyardError) {
      var found: [String] = []
      for try await mail in mails { found.append(mail.value) }
      print(found.joined(separator: " "))
    } catch {
      print("stopped: \(error.kind)")
    }
  }
}
