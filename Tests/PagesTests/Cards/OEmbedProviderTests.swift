import Testing

@testable import Pages

/// Which provider knows a page.
struct OEmbedProviderTests {
  private let some = OEmbedProviders(
    table: """
      https://one.test/o a.test/photos/* *.a.test/photos/*/of/*
      https://two.test/o.json www.a.test/* *.*.b.test/watch* b.test/?v=* c.test/x/*/y c.test/exact
      https://three.test/o a.test/* *.www.a.test/* *.b.test/*.jpg
      """)

  private func endpoint(_ address: String) -> String? {
    let slash = address.firstIndex(of: "/") ?? address.endIndex
    return some.endpoint(host: String(address[..<slash]), path: String(address[slash...]))
  }

  @Test(arguments: [
    ("a.test/photos/bees/2341623661/", "one"), ("a.test/photos/", "three"), ("a.test/", nil),
    ("a.test/x", "three"),
    ("x.a.test/photos/7/of/9", "one"), ("x.y.a.test/photos/7/8/of/9/", "one"), ("x.a.test/photos/7/of/", nil),
    ("x.a.test/photos//of/9", nil), ("www.a.test/photos/7/of/9", "two"),
    ("x.www.a.test/photos/7/of/9", "three"),
    ("b.test/?v=1", "two"), ("b.test/?v=", nil), ("b.test/?w=1", nil), ("x.b.test/watch?v=1", nil),
    ("x.y.b.test/watch?v=1", "two"), ("x.y.b.test/watch", nil), ("x.b.test/i.jpg", "three"),
    ("x.b.test/.jpg", nil),
    ("c.test/x/1/y", "two"), ("c.test/x/1/y/y", "two"), ("c.test/x/y", nil), ("c.test/x/1/yy", nil),
    ("c.test/exact", "two"), ("c.test/exact/", nil), ("c.test/Exact", nil), ("xc.test/exact", nil),
    ("test/x", nil), ("/x", nil), ("a.test.evil.test/x", nil), ("[::1]/x", nil),
  ])
  func `hosts come first, then patterns, and the nearest host counts`(address: String, provider: String?) {
    #expect(endpoint(address)?.dropFirst(8).prefix { $0 != "." } == provider.map { $0[...] })
  }

  @Test(arguments: [
    ("www.youtube.com", "/watch?v=x", "https://www.youtube.com/oembed"),
    ("youtu.be", "/x", "https://www.youtube.com/oembed"),
    ("youtube.com", "/shorts/x", "https://www.youtube.com/oembed"),
    ("vimeo.com", "/1234", "https://vimeo.com/api/oembed.json"),
    ("x.com", "/user/status/1", "https://publish.x.com/oembed"),
    ("www.flickr.com", "/photos/bees/2341623661/", "https://www.flickr.com/services/oembed/"),
    ("hearthis.at", "/a/b/", "https://hearthis.at/oembed/"), ("www.youtube.com", "/", nil),
    ("example.org", "/", nil),
  ])
  func `the registry knows`(host: String, path: String, endpoint: String?) {
    #expect(OEmbedProviders.registered.endpoint(host: host, path: path) == endpoint)
  }

  /// Each pattern with a word in the place of each `*`.
  @Test func `every pattern of the table leads to an endpoint, which is a plain address`() {
    var (endpoints, patterns, endpoint) = (0, 0, "")
    for word in oEmbedProviderTable.split(whereSeparator: \.isWhitespace) {
      guard !word.hasPrefix("http") else {
        (endpoint, endpoints) = (String(word), endpoints + 1)
        #expect(!endpoint.contains { "{}?#*".contains($0) })
        continue
      }
      patterns += 1
      let address = word.replacing("*", with: "word")
      let slash = address.firstIndex(of: "/") ?? address.endIndex
      let found = OEmbedProviders.registered.endpoint(
        host: String(address[..<slash]), path: String(address[slash...]))
      #expect(found == endpoint, "\(word)")
    }
    #expect((endpoints, patterns) == (225, 479))
  }

  @Test func `a long address takes time in proportion to its length`() {
    expectLinearTime(from: 1_000) { count in
      let path = "/x/" + String(repeating: "/1", count: count)
      return { #expect(some.endpoint(host: "c.test", path: path) == nil) }
    }
  }
}
