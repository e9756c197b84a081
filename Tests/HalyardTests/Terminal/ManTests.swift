import Testing

/// The manual pages, as files and as `man` shows them.
@Suite(.timeLimit(.minutes(10)))
struct ManTests {
  @Test func `man shows every page without a warning`() async throws {
    let folder = try Folder()
    let pages = try folder.path("pages")
    let ended = try await halyard("man", pages)
    #expect(ended.status == 0 && ended.messages == "" && ended.output == "")
    let names = try await Tool.bash.run(["-c", "ls \"$0\"", pages]).lines
    #expect(names.contains("halyard.1"))
    #expect(names.contains("halyard-title.1"))
    #expect(names.contains("halyard-recipes.5"))
    for name in names {
      let shown = try await Tool.man.run([
        "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", "\(pages)/\(name)",
      ])
      #expect(shown.status == 0, "\(name)")
      #expect(shown.messages == "", "\(name)")
    }
  }

  @Test func `a page says what help says, character by character`() async throws {
    let folder = try Folder()
    let pages = try folder.path("pages")
    _ = try await halyard("man", pages)
    let shown = try await Tool.bash.run([
      "-c", "MANWIDTH=2000 MAN_KEEP_FORMATTING= man -E UTF-8 -l \"$0\" | tr -s ' '",
      "\(pages)/halyard-decode.1",
    ])
    for text in [
      "such as '$.items[?@.price<10].name', which yields",
      "Also take JSON inside a script: behind )]}' or for(;;);",
      #"{"url":…,"kind":…,"ref":…} where only url is needed"#, "halyard decode --select '$..name'",
      "--max-body SIZE",
      "EXIT STATUS", "ENVIRONMENT", "FILES", "SEE ALSO", "HALYARD_CONCURRENCY",
    ] {
      #expect(shown.output.contains(text))
    }
  }

  @Test func `the date is that of SOURCE_DATE_EPOCH, or none`() async throws {
    let folder = try Folder()
    let (first, second) = (try folder.path("first"), try folder.path("second"))
    #expect(try await halyard("man", first, environment: ["SOURCE_DATE_EPOCH": "1700000000"]).status == 0)
    #expect(try await halyard("man", second, environment: ["SOURCE_DATE_EPOCH": ""]).status == 0)
    #expect(try folder.content("first/halyard.1").hasPrefix(#".TH "HALYARD" 1 "2023\-11\-14" "#))
    #expect(try folder.content("second/halyard.1").hasPrefix(#".TH "HALYARD" 1 "" "#))
    let refused = try await halyard("man", first, environment: ["SOURCE_DATE_EPOCH": "today"])
    #expect(refused.status == 64)
    #expect(refused.messages.contains("SOURCE_DATE_EPOCH: 'today' is not a number of seconds"))
  }

  @Test func `a directory that cannot be made is told`() async throws {
    let ended = try await halyard("man", "/no/such/directory")
    #expect(ended.status == 65)
    #expect(ended.messages.hasPrefix("halyard: /no/such/directory: mkdir"))
    #expect(try await halyard("man").messages.contains("no directory given"))
  }
}
