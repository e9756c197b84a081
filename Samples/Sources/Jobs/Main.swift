import Halyard

/// Runs one sample, or all of them, against a site like that of `halyard demo --serve`: `Jobs BASE [NAME…]`.
@main
enum Main {
  typealias Sample = @Sendable (HalyardClient, _ base: String) async throws -> Void

  static let samples: KeyValuePairs<String, Sample> = [
    "title": title, "feeds": feeds, "categories": categories, "unfurl": unfurl, "futures": futures,
    "styles": styles, "details": details,
  ]

  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    guard let base = words.first else { return print("usage: Jobs BASE [NAME…]") }
    var settings = ClientSettings()
    settings.allowedAddresses = ["127.0.0.0/8"]
    let client = try HalyardClient(settings)
    for (name, sample) in samples where words.count == 1 || words.dropFirst().contains(name) {
      print("\(name):")
      try await sample(client, base)
    }
    await client.shutdown()
  }
}
