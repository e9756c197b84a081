import Testing

/// The recipes that are built in, against the API that the demo serves for them.
@Suite(.timeLimit(.minutes(10)))
struct ShippedRecipeTests {
  private static let crew = [
    ("Ada", "Anchor"), ("Bo", "Bowline"), ("Cleo", "Capstan"), ("Dov", "Davit"), ("Edda", "Ensign"),
    ("Finn", "Fairlead"), ("Gro", "Gangway"), ("Hal", "Hawser"), ("Ines", "Islet"), ("Jon", "Jib"),
    ("Kaja", "Keel"), ("Leif", "Lanyard"),
  ]
  private static let feeds = [
    ("apps", "Top Apps"), ("books", "Top Books"), ("music", "Top Albums"), ("movies", "Top Movies"),
    ("tv", "Top TV Shows"), ("podcasts", "Top Podcasts"), ("games", "Top Games"), ("news", "Top News"),
  ]
  private static let entries = [
    ("The Long Reach", "Ada Anchor"), ("Under Full Sail", "Bo Bowline"), ("Harbour Lights", "Cleo Capstan"),
    ("A Fair Wind", "Dov Davit"),
  ]

  private static func users(_ base: String) -> String {
    let users = crew.enumerated().map { place, name in
      #"{"id":\#(place + 1),"email":"\#(name.0.lowercased())@example.org","first_name":"\#(name.0)","#
        + #""last_name":"\#(name.1)","home_page":"\#(base)/people/\#(place + 1)"}"#
    }
    return #"{"users":[\#(users.joined(separator: ","))]}"# + "\n"
  }

  private static func sections(_ base: String) -> String {
    let sections = feeds.map { id, title in
      let items = entries.enumerated().map { place, entry in
        let item = "\(id)-\(place + 1)"
        return #"{"id":"\#(item)","name":"\#(entry.0)","artistName":"\#(entry.1)","#
          + #""artworkUrl100":"\#(base)/artwork/\#(item)","url":"/pages/\#(id)/\#(place + 1)"}"#
      }
      return #"{"id":"\#(id)","title":"\#(title)","items":[\#(items.joined(separator: ","))]}"#
    }
    return #"{"sections":[\#(sections.joined(separator: ","))]}"# + "\n"
  }

  /// Runs all there is to run against a site that serves, with these words more.
  private func run(_ more: [String]) async throws {
    let site = try Child(["demo", "--serve"])
    try await site.hasWritten(lines: 1)
    let base = String(site.output.text.dropLast())
    let runs: [(words: [String], output: String)] = [
      (["users"], Self.users(base)), (["users", "--param", "details=no"], Self.users(base)),
      (["feeds"], Self.sections(base)),
    ]
    for (words, output) in runs {
      let end = try await Child(["run"] + words + ["--param", "base=\(base)"] + more).ended()
      #expect(end.status == 0 && end.messages.isEmpty, "\(words): \(end.messages)")
      #expect(end.output == output, "\(words)")
    }
    site.interrupt()
    #expect(try await site.ended().status == 130)
  }

  @Test func `they yield exactly what is served`() async throws {
    try await run(loopback)
  }

  @Test func `over a fleet they yield the same`() async throws {
    let fleet = try await UpFleet(["--fetchers", "2", "--decoders", "2"])
    try await run(fleet.words)
    try await fleet.stop()
  }
}
