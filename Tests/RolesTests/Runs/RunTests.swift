import LedgerMemory
import Pipeline
import PipelineTesting
import Posix
import Recipes
import Roles
import Testing

/// Recipes that run as jobs: their calls are jobs of their own.
@Suite(.timeLimit(.minutes(10)))
struct RunTests {
  private static let users = String(decoding: ShippedRecipe.users.file, as: UTF8.self)
  private static let base = "base=http://a.test"

  private static func usersWorld(_ count: Int = 10, perPage: Int = 3) -> RunSite {
    let site = RunSite()
    let pages = (count + perPage - 1) / perPage
    for page in 1...pages {
      let ids = ((page - 1) * perPage + 1)...min(page * perPage, count)
      let data = ids.map { #"{"id":\#($0),"email":"u\#($0)@a.test"}"# }.joined(separator: ",")
      site["http://a.test/api/users?page=\(page)"] = RunSite.json(
        #"{"page":\#(page),"per_page":\#(perPage),"total":\#(count),"total_pages":\#(pages),"data":[\#(data)]}"#
      )
    }
    for id in 1...count { site["http://a.test/api/users/\(id)"] = RunSite.json(#"{"data":{"id":\#(id)}}"#) }
    return site
  }

  private static func details(_ count: Int) -> String {
    #"{"users":[\#((1...count).map { #"{"id":\#($0)}"# }.joined(separator: ","))]}"#
  }

  @Test(arguments: TransportUnderTest.allCases)
  func `pages are followed, and details stand in the order of the list`(site: TransportUnderTest)
    async throws
  {
    let users = Self.usersWorld()
    let row = try await users.run(Self.users, [Self.base], in: site)
    #expect(row["status"] == "ok")
    #expect(row["kind"] == "run")
    #expect(row["input"] == "mine.json")
    #expect(row["value"] == Self.details(10))
    #expect(row["steps.list.status"] == "ok")
    #expect(users.calls.count == 14)
  }

  @Test func `without details nobody asks for them`() async throws {
    let users = Self.usersWorld(2)
    let row = try await users.run(Self.users, [Self.base, "details=no"])
    #expect(row["value"] == #"{"users":[{"id":1,"email":"u1@a.test"},{"id":2,"email":"u2@a.test"}]}"#)
    #expect(row["steps.users.status"] == "skipped")
    #expect(users.calls == ["http://a.test/api/users?page=1"])
  }

  @Test func `the order is the list's however the answers arrive`() async throws {
    var orders: Set<[String]> = []
    for seed in UInt64(0)..<1_000 {
      let users = Self.usersWorld(12, perPage: 5)
      let row = try await users.run(Self.users, [Self.base], shuffledBy: seed)
      try #require(row["value"] == Self.details(12), "seed \(seed)")
      orders.insert(users.calls.filter { !$0.contains("?") })
    }
    #expect(orders.count > 900, "the answers came as they were asked for")
  }

  @Test func `a list that fails has no detail asked for, and the row says why`() async throws {
    let users = Self.usersWorld()
    users["http://a.test/api/users?page=2"] = RunSite.json("{}", status: 500)
    let row = try await users.run(Self.users, [Self.base])
    #expect(row["status"] == "failed")
    #expect(row["error.kind"] == "http_status")
    #expect(row["steps.list.status"] == "failed")
    #expect(row["steps.users.status"] == "cancelled")
    #expect(row["steps.users.because"] == "list")
    #expect(row["value"] == nil)
    #expect(users.calls.first == "http://a.test/api/users?page=1")
    #expect(users.calls.allSatisfy { $0.contains("?page=") })
  }

  @Test func `an answer that is not as it must be fails the step`() async throws {
    let users = Self.usersWorld(2)
    users["http://a.test/api/users/2"] = RunSite.json(#"{"data":[]}"#)
    let row = try await users.run(Self.users, [Self.base])
    #expect(row["error.kind"] == "decode_mismatch")
    #expect(row["error.message"]?.contains("require '/data:object'") == true)
  }

  private static let fan = """
    {"steps": {
      "list": {"call": "http://a.test/list"},
      "each": {"each": "$list", "call": "http://a.test/{input}", "policy": "POLICY"}
    }, "output": "$each"}
    """

  @Test func `one failure under settled is left out, and told`() async throws {
    let site = RunSite(["http://a.test/list": "[1,2,3]", "http://a.test/1": "10", "http://a.test/3": "30"])
    let row = try await site.run(Self.fan.replacing("POLICY", with: "settled"))
    #expect(row["status"] == "ok")
    #expect(row["value"] == "[10,30]")
    #expect(row["steps.each.left_out"]?.contains(#""ordinal":1,"error":{"kind":"http_status""#) == true)
  }

  @Test func `Link headers lead from page to page`() async throws {
    let site = RunSite(["http://a.test/b": "[3]"])
    site["http://a.test/a"] = RunSite.json(
      "[1,2]", headers: [HeaderField("Link", "<b>; rel=\"next\", <a>; rel=\"first\"")])
    let recipe = #"{"steps":{"all":{"call":"http://a.test/a","next":{"link":"next"}}},"output":"$all"}"#
    #expect(try await site.run(recipe)["value"] == "[1,2,3]")
  }

  @Test(
    arguments: [
      ("{", [], "invalid_input", "line 1"), (#"{"steps":{},"output":1}"#, [], "invalid_input", "steps"),
      (
        #"{"steps":{"a":{"call":"http://10.0.0.1:{x}/"}},"output":"$a","parameters":{"x":{"type":"string"}}}"#,
        [],
        "invalid_input", "no value for 'x'"
      ),
      (#"{"steps":{"a":{"call":"ftp://a.test/"}},"output":"$a"}"#, [], "invalid_input", "http"),
    ] as [(String, [String], String, String)])
  func `what cannot run says so`(
    recipe: String, parameters: [String], kind: String, words: String
  ) async throws {
    let site = RunSite()
    let row = try await site.run(recipe, parameters)
    #expect(row["status"] == "failed")
    #expect(row["error.kind"] == kind)
    #expect(row["error.message"]?.contains(words) == true, "\(row)")
    #expect(site.calls.isEmpty)
  }

  @Test func `a run that calls nobody is over at once`() async throws {
    let row = try await RunSite(["http://a.test/list": "[]"]).run(Self.fan.replacing("POLICY", with: "all"))
    #expect(row["status"] == "ok")
    #expect(row["value"] == "[]")
  }
}
