import Testing

/// Recipes, as far as nobody is called.
@Suite(.timeLimit(.minutes(10)))
struct RecipeTests {
  @Test(arguments: [
    ("users", "sound: 2 parameters, 0 sections, 2 steps"),
    ("feeds", "sound: 1 parameter, 8 sections, 1 step"),
  ])
  func `what is built in is sound, and a file with the same is`(name: String, says: String) async throws {
    let checked = try await halyard("run", "--check", name, "--param", "base=a.test")
    #expect(checked.status == 0 && checked.messages.isEmpty)
    #expect(checked.output == "\(name): \(says)\n")
    let shown = try await halyard("run", "--show", name)
    #expect(shown.status == 0 && shown.messages.isEmpty)
    let folder = try Folder()
    let copy = try folder.path("copy.json", holding: shown.output)
    #expect(try await halyard("run", "--check", copy).output == "\(copy): \(says)\n")
    #expect(try await halyard("run", "--show", copy).output == shown.output)
  }

  @Test func `everything that is wrong is told with its place`() async throws {
    let folder = try Folder()
    let path = try folder.path(
      "mine.json",
      holding: """
        {
          "steps": {
            "a": {"call": "http://a.test/{x}", "after": "$b"},
            "b": {"cal": "http://a.test/", "after": "$a"}
          },
          "output": "$c"
        }
        """)
    let checked = try await halyard("run", "--check", path)
    #expect(checked.status == 65)
    #expect(checked.output.isEmpty)
    #expect(
      checked.messages == """
        \(path):3:5: steps wait for each other in a circle: 'a' → 'b' → 'a'
        \(path):3:35: unknown name '{x}' in 'call' of the step 'a'
        \(path):4:10: the step 'b' has no 'call'
        \(path):4:11: unknown member 'cal' of the step 'b' — did you mean 'call'?
        \(path):6:13: unknown name '$c' in the recipe's output — did you mean '$a'?

        """)
  }

  @Test func `what a file says cannot play with the terminal`() async throws {
    let folder = try Folder()
    let path = try folder.path("mine.json", holding: #"{"\u001b[2J": 1}"#)
    let checked = try await halyard("run", "--check", path)
    #expect(checked.status == 65)
    #expect(checked.messages.contains("unknown member '\u{FFFD}[2J' of the recipe"))
  }
}
