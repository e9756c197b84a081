import Testing

/// Standard streams in every state that a shell can leave them in.
@Suite(.timeLimit(.minutes(10)))
struct StreamTests {
  @Test func `closed standard output is an error`() async throws {
    let site = try TestSite()
    let child = try Child(
      ["unfurl", site.url("/page/1")] + loopback, redirection: .init(words: ">&-"))
    let ended = try await child.ended()
    #expect(ended.status == 65)
    #expect(ended.messages == "halyard: standard output: write: Bad file descriptor\n")
  }

  @Test func `closed standard input is an error, and none when links are arguments`() async throws {
    let site = try TestSite()
    let alone = try await halyard("unfurl", redirection: .init(words: "<&-"))
    #expect(alone.status == 65)
    #expect(alone.messages == "halyard: standard input: read: Bad file descriptor\n")
    let child = try Child(
      ["unfurl", site.url("/page/1")] + loopback, redirection: .init(words: "<&-"))
    #expect(try await child.ended().status == 0)
  }

  @Test(arguments: [["--help"], ["--version"], ["demo"], ["title", "not a url"]])
  func `a full disk is told as an error of standard output`(words: [String]) async throws {
    let ended = try await Child(words, redirection: .init(words: ">/dev/full")).ended()
    #expect(ended.status == 65)
    #expect(ended.messages == "halyard: standard output: write: No space left on device\n")
  }

  @Test func `a reader that leaves early ends the program without a word`() async throws {
    let site = try TestSite()
    let list = "\(site.url("/page/1"))\n" + String(repeating: "\(site.url("/wait/5"))\n", count: 2_000)
    let child = try Child(
      ["unfurl", "-"] + loopback, input: .text(list), redirection: .init(lineLimit: 1))
    let ended = try await child.ended()
    #expect(ended.status == 141)
    #expect(ended.messages.isEmpty)
  }

  @Test func `progress that cannot be written costs no rows`() async throws {
    let site = try TestSite()
    let child = try Child(
      ["unfurl", site.url("/page/1"), "--progress", "always"] + loopback,
      redirection: .init(words: "2>/dev/full"))
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(try ended.rows().count == 1)
  }

  @Test func `closed standard error changes nothing but the messages`() async throws {
    let site = try TestSite()
    let child = try Child(
      ["unfurl", site.url("/page/1"), "--progress", "always"] + loopback, redirection: .init(words: "2>&-"))
    let ended = try await child.ended()
    #expect(ended.status == 0)
    #expect(try ended.rows().count == 1)
  }
}
