import JSONQuery
import Testing

/// The examples of RFC 9535, section 1.5.
struct BookStoreTests {
  private static let store = #"""
    { "store": {
        "book": [
          { "category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95 },
          { "category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99 },
          { "category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3",
            "price": 8.99 },
          { "category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings",
            "isbn": "0-395-19395-8", "price": 22.99 }
        ],
        "bicycle": { "color": "red", "price": 399 }
      }
    }
    """#

  @Test(arguments: [
    ("$.store.book[*].author", "0/author 1/author 2/author 3/author"),
    ("$..author", "0/author 1/author 2/author 3/author"),
    ("$.store.*", "/store/book /store/bicycle"),
    ("$.store..price", "/store/bicycle/price 0/price 1/price 2/price 3/price"),
    ("$..book[2]", "2"), ("$..book[2].author", "2/author"), ("$..book[2].publisher", ""),
    ("$..book[-1]", "3"), ("$..book[0,1]", "0 1"), ("$..book[:2]", "0 1"), ("$..book[?@.isbn]", "2 3"),
    ("$..book[?@.price<10]", "0 2"),
  ])
  func `an example of the standard finds its values`(query: String, places: String) throws {
    let expected = places.split(separator: " ").map { $0.hasPrefix("/") ? String($0) : "/store/book/\($0)" }
    let found = try JSONPath(query).select(in: parse(Self.store)).map(\.pointer.text)
    // The order of members is up to the reader; here it is that of the document.
    #expect(found.sorted() == expected.sorted())
  }

  @Test func `everything below the root is all but the root`() throws {
    let found = try JSONPath("$..*").select(in: parse(Self.store))
    #expect(found.count == 27)
    #expect(
      found.prefix(5).map(\.pointer.text)
        == ["/store", "/store/book", "/store/bicycle", "/store/book/0", "/store/book/1"])
  }
}
