import Pipeline
import PipelineTesting
import Testing

@testable import Roles

/// Fetch options that an aggregator hands to fetchers.
@Suite(.timeLimit(.minutes(10)))
struct HandedOptionsTests {
  private static let options = FetchOptions(
    given: [.init(name: "max-hops", values: ["3"]), .init(name: "cookie", values: ["a=b"])],
    hash: 42)

  private func fixture(isPrivate: Bool) -> AggregatorFixture {
    AggregatorFixture {
      var settings = AggregatorSettings()
      settings.handed = HandedOptions(Self.options, secrets: ["cookie"]) { _ in isPrivate }
      return settings
    }
  }

  @Test func `who asks is told all of them where no one else can read it`() async {
    let fixture = fixture(isPrivate: true)
    await fixture.run([[fixture.ask(FetchOptionsQuestion())], []])
    #expect(fixture.replies() as [FetchOptions?] == [Self.options])
  }

  @Test func `secrets are only named where others can read the answer`() async {
    let fixture = fixture(isPrivate: false)
    await fixture.run([[fixture.ask(FetchOptionsQuestion())], []])
    var without = Self.options
    (without.given, without.withheld) = ([without.given[0]], ["cookie"])
    #expect(fixture.replies() as [FetchOptions?] == [without])
  }

  @Test func `a fleet without options of its own says so`() async {
    let fixture = AggregatorFixture()
    await fixture.run([[fixture.ask(FetchOptionsQuestion())], []])
    #expect(fixture.replies() as [FetchOptions?] == [nil])
  }

  @Test func `a roster tells when the options are others`() async {
    let fixture = fixture(isPrivate: true)
    let address = Address("inproc://fetcher")
    await fixture.run([
      [
        .hello(
          Hello(
            worker: WorkerID.numbered(1), role: .fetcher, locality: "here", address: address,
            granted: 1, received: 0))
      ], [],
    ])
    let hashes = fixture.sent(to: address).compactMap {
      if case .roster(let roster) = $0 { roster.fetchOptions } else { nil }
    }
    #expect(Set(hashes) == [42])
  }
}
