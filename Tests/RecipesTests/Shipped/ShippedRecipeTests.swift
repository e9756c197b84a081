import JSONQuery
import Testing

@testable import Recipes

/// The recipes that are part of the program.
struct ShippedRecipeTests {
  private func recipe(_ shipped: ShippedRecipe) throws -> Recipe { try Recipe(parsing: shipped.file) }

  @Test(arguments: ShippedRecipe.allCases)
  func `each is sound, says what it is for, and asks for its base`(shipped: ShippedRecipe) throws {
    let read = try recipe(shipped)
    #expect(read.about?.isEmpty == false)
    #expect(read.parameters.first?.name == "base" && read.parameters.first?.fallback == nil)
    #expect(read.parameters.allSatisfy { $0.about != nil })
  }

  private static let users: ScriptedServer = {
    var answers: [String: ScriptedServer.Answer] = [:]
    for page in 1...4 {
      let data = (page * 3 - 2...min(page * 3, 10)).map { #"{"id":\#($0),"email":"u\#($0)@a.test"}"# }
      answers["http://a.test/x/api/users?page=\(page)"] = .document(
        #"{"page":\#(page),"per_page":3,"total":10,"total_pages":4,"data":[\#(data.joined(separator: ","))]}"#
      )
    }
    for id in 1...10 {
      answers["http://a.test/x/api/users/\(id)"] = .document(
        #"{"data":{"id":\#(id),"email":"u\#(id)@a.test","first_name":"N\#(id)"},"support":{}}"#)
    }
    return ScriptedServer(answers)
  }()

  @Test func `users in any order of arrival: details in the order of the list`() throws {
    let users = try recipe(.users)
    let expected =
      #"{"users":["#
      + (1...10).map { #"{"id":\#($0),"email":"u\#($0)@a.test","first_name":"N\#($0)"}"# }.joined(
        separator: ",")
      + "]}"
    var orders: Set<[Int]> = []
    for seed in 0..<1_000 {
      var server = Self.users
      let outcome = try server.run(users, ["base=http://a.test/x/"], seed: UInt64(seed))
      #expect(outcome.value?.minified == expected)
      #expect(outcome.failure == nil)
      #expect(server.called.count == 14 && server.widest == 10)
      orders.insert(server.ended)
    }
    #expect(orders.count > 900)
  }

  @Test func `users without details`() throws {
    var server = Self.users
    let outcome = try server.run(recipe(.users), ["base=http://a.test/x", "details=no"])
    let expected = (1...10).map { #"{"id":\#($0),"email":"u\#($0)@a.test"}"# }.joined(separator: ",")
    #expect(outcome.value?.minified == #"{"users":[\#(expected)]}"#)
    #expect(outcome.endings == "list done, users skipped")
    #expect(server.called.count == 4)
  }

  @Test func `no users at all`() throws {
    var server = ScriptedServer([
      "http://a.test/api/users?page=1": .document(#"{"page":1,"total_pages":0,"data":[]}"#)
    ])
    let outcome = try server.run(recipe(.users), ["base=http://a.test"])
    #expect(outcome.value?.minified == #"{"users":[]}"#)
  }

  @Test(arguments: [
    (#"{"data":[]}"#, "decode_mismatch"), (#"{"total_pages":1,"data":{}}"#, "decode_mismatch"),
    (#"{"total_pages":1,"data":[{"email":"x"}]}"#, "missing_input"),
    (#"{"total_pages":1,"data":[7]}"#, "decode_mismatch"), (#"{"total_pages":2,"data":[]}"#, "http_status"),
  ])
  func `an answer of another form is told`(document: String, kind: String) throws {
    var server = ScriptedServer(["http://a.test/api/users?page=1": .document(document)])
    let outcome = try server.run(recipe(.users), ["base=http://a.test"])
    #expect(outcome.failure?.kind == kind)
    #expect(outcome.value == nil)
  }

  private static let categories = ["apps", "books", "music", "movies", "tv", "podcasts", "games", "news"]

  private static func item(_ category: String, _ number: Int, art: String) -> String {
    #"{"id":"\#(category)\#(number)","name":"N","artistName":"A","artworkUrl100":"\#(art)/\#(number).png","url":"https://u.test/"}"#
  }

  private static let feeds = ScriptedServer(
    Dictionary(
      uniqueKeysWithValues: categories.enumerated().map { place, category in
        // The servers of some send more than they were asked for, others less.
        let items = (0..<place).map { item(category, $0, art: "../art") }.joined(separator: ",")
        return (
          "http://a.test/api/feeds/\(category)?limit=4",
          .document(#"{"feed":{"title":"Top \#(category)","results":[\#(items)]}}"#)
        )
      }))

  @Test func `feeds in any order of arrival: sections in their own order, four items each`() throws {
    let feeds = try recipe(.feeds)
    let sections = Self.categories.enumerated().map { place, category in
      let items = (0..<min(place, 4)).map { Self.item(category, $0, art: "http://a.test/api/art") }
      return #"{"id":"\#(category)","title":"Top \#(category)","items":[\#(items.joined(separator: ","))]}"#
    }
    let expected = #"{"sections":[\#(sections.joined(separator: ","))]}"#
    var orders: Set<[Int]> = []
    for seed in 0..<1_000 {
      var server = Self.feeds
      let outcome = try server.run(feeds, ["base=http://a.test"], seed: UInt64(seed))
      #expect(outcome.value?.minified == expected)
      #expect(outcome.failure == nil)
      #expect(server.widest == 8)
      orders.insert(server.ended)
    }
    #expect(orders.count > 900)
  }

  @Test func `one feed that fails fails all`() throws {
    var server = Self.feeds
    server.answers["http://a.test/api/feeds/tv?limit=4"] = .failure("timeout")
    let outcome = try server.run(recipe(.feeds), ["base=http://a.test"])
    #expect(outcome.failure?.kind == "timeout")
    #expect(server.forgotten.map(\.ordinal) == [5, 6, 7])
  }
}
