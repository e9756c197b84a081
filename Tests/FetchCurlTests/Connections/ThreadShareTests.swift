import Testing

@testable import FetchCurl

/// What each of several threads that fetch may use.
struct ThreadShareTests {
  private func settings(transfers: Int) -> CurlSettings {
    var settings = loopbackSettings()
    (settings.transfers, settings.connections) = (transfers, 4 * transfers)
    return settings
  }

  @Test(arguments: [1, 2, 3, 7]) func `threads share the limits of one`(threads: Int) {
    let whole = settings(transfers: 100)
    let shares = whole.shared(among: threads)
    #expect(shares.count == threads)
    #expect(shares.map(\.transfers).reduce(0, +) == 100)
    #expect(shares.map(\.connections).reduce(0, +) == 400)
    #expect(shares.allSatisfy { abs($0.transfers - 100 / threads) <= 1 })
  }

  @Test func `there are no more threads than transfers`() {
    #expect(settings(transfers: 3).shared(among: 8).map(\.transfers) == [1, 1, 1])
  }

  @Test func `few files mean fewer transfers, and kept connections only where there is room`() {
    var few = settings(transfers: 256)
    few.fit(descriptors: 472, threads: 2)
    #expect(few.transfers == 133)
    #expect(few.connections == 134)
    var many = settings(transfers: 256)
    many.fit(descriptors: 1_032, threads: 2)
    #expect(many.transfers == 256)
    #expect(many.connections == 448)
    #expect(settings(transfers: 256).wantedDescriptors(threads: 2) == 512 + 1_024 + 8 + 64)
  }
}
