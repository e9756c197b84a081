package import Pipeline
import Testing

/// What every cache of results keeps. Each is proved on one that holds three answers.
package enum ResultCacheSuite {
  package static let most = 3
  private typealias Rule = PortRule<any ResultCache>
  private static let start = Moment(unixMilliseconds: 1_700_000_000_000)

  private static func answer(
    _ question: String, _ json: String = "{}", after milliseconds: Int64 = 0
  ) -> CachedAnswer {
    CachedAnswer(
      question: question, storedAt: start.advanced(byMilliseconds: milliseconds), failure: nil,
      isOfFailure: false, validators: nil, json: Array(json.utf8))
  }

  private static func questions(_ cache: any ResultCache, _ asked: String...) async throws -> [String?] {
    try await cache.find(asked, bytes: .max).map { $0?.question }
  }

  package static let rules: [PortRule<any ResultCache>] = [
    Rule("nothing is found where nothing was kept") { cache async throws in
      #expect(try await cache.find(["a", ""], bytes: .max) == [nil, nil])
      #expect(try await cache.find([], bytes: .max).isEmpty)
      try await cache.store([])
      #expect(try await cache.find(["a"], bytes: .max) == [nil])
    },
    Rule("an answer comes back as it was kept, for its own question only") { cache async throws in
      var full = answer("title 1.2\nhttps://a.test/ü\n/a\u{0}b", ",\"title\":\"Grüße\"")
      full.failure = .missingPageTitle
      full.isOfFailure = true
      full.validators = Validators(url: "https://a.test/", entityTag: #"W/"ü""#, lastModified: nil)
      var bare = answer("title 1.2\nhttps://a.test/")
      bare.json = []
      bare.validators = Validators(url: "https://a.test/", entityTag: nil, lastModified: "Tue")
      try await cache.store([full, bare])
      let found = try await cache.find([bare.question, "other", full.question, full.question], bytes: .max)
      #expect(found == [bare, nil, full, full])
    },
    Rule("a later answer takes the place of an earlier one") { cache async throws in
      try await cache.store([answer("a", "1"), answer("b", "2"), answer("a", "3")])
      #expect(try await cache.find(["a"], bytes: .max) == [answer("a", "3")])
      try await cache.store([answer("a", "4", after: 5)])
      #expect(
        try await cache.find(["a", "b"], bytes: .max) == [answer("a", "4", after: 5), answer("b", "2")])
    },
    Rule("the oldest answers go when there are too many") { cache async throws in
      try await cache.store([answer("a"), answer("b"), answer("c")])
      // Answered again, so it is the newest.
      try await cache.store([answer("a")])
      try await cache.store([answer("d")])
      #expect(try await questions(cache, "a", "b", "c", "d") == ["a", nil, "c", "d"])
      try await cache.store((1...5).map { answer("\($0)") })
      #expect(try await questions(cache, "a", "c", "d", "1", "2") == [nil, nil, nil, nil, nil])
      #expect(try await questions(cache, "3", "4", "5") == ["3", "4", "5"])
    },
    Rule("answers that nobody may ask for any more go") { cache async throws in
      let longest = CacheRule.longestMilliseconds
      try await cache.store([answer("a"), answer("b", after: 1)])
      try await cache.store([answer("c", after: longest)])
      #expect(try await questions(cache, "a", "b", "c") == ["a", "b", "c"])
      try await cache.store([answer("c", after: longest + 1)])
      #expect(try await questions(cache, "a", "b", "c") == [nil, "b", "c"])
      try await cache.store([answer("d", after: 3 * longest)])
      #expect(try await questions(cache, "b", "c", "d") == [nil, nil, "d"])
    },
    Rule("no more is read than is enough") { cache async throws in
      try await cache.store([answer("a", "1234"), answer("b", "1234"), answer("c", "1234")])
      #expect(try await cache.find(["a", "x", "b", "c"], bytes: 5).map { $0?.question } == ["a", nil, "b"])
      #expect(try await cache.find(["a", "b"], bytes: 4).count == 1)
      #expect(try await cache.find(["x", "y"], bytes: 1) == [nil, nil])
    },
  ]
}
