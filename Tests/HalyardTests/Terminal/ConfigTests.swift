import Foundation
import Testing

/// Files of settings, as a user has them.
@Suite(.timeLimit(.minutes(10)))
struct ConfigTests {
  @Test func `settings come from the user's directory, and from a file that is named`() async throws {
    let folder = try Folder()
    let root = try folder.path("")
    try FileManager.default.createDirectory(
      atPath: try folder.path("halyard"), withIntermediateDirectories: false)
    _ = try folder.path("halyard/config.toml", holding: "[title]\nretries = 7\n")
    let other = try folder.path("other.toml", holding: "retries = 9\n")
    let users = try await halyard("config", "title", environment: ["XDG_CONFIG_HOME": root])
    #expect(users.status == 0)
    #expect(
      users.output.contains("retries = 7  # \(root)/halyard/config.toml:2\n".replacing("//", with: "/")))
    for (words, environment) in [(["--config", other], [:]), ([], ["HALYARD_CONFIG": other])] {
      let shown = try await Child(
        ["config", "title"] + words, environment: environment.merging(["XDG_CONFIG_HOME": root]) { $1 }
      ).ended()
      #expect(shown.output.contains("retries = 9  # \(other):1\n"))
    }
  }

  @Test func `a run goes by its settings`() async throws {
    let folder = try Folder()
    let file = try folder.path(
      "settings.toml", holding: "[title]\nformat = \"csv\"\nfields = [\"input\", \"error.kind\"]\n")
    let ended = try await halyard("title", "--config", file, "not a link")
    #expect(
      ended.output == "input,error.kind\r\nnot a link,invalid_input\r\n"
        || ended.output == "input,error.kind\nnot a link,invalid_input\n")
  }

  @Test func `a wrong file ends every command before it does anything`() async throws {
    let folder = try Folder()
    let file = try folder.path("settings.toml", holding: "[title]\nformt = \"csv\"\n")
    for words in [["title", "a.test"], ["config"], ["doctor"], ["status"]] {
      let ended = try await Child(words, environment: ["HALYARD_CONFIG": file]).ended()
      #expect(ended.status == 64)
      #expect(
        ended.messages == "halyard: \(file):2:1: unknown setting 'formt' of title — did you mean 'format'?\n")
      #expect(ended.output == "")
    }
  }

  @Test func `a file that others can change is refused, and so is none`() async throws {
    let folder = try Folder()
    let file = try folder.path("settings.toml", holding: "quiet = true\n")
    try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
    let refused = try await halyard("title", "--config", file, "a.test")
    #expect(refused.status == 64)
    #expect(refused.messages.contains("\(file) can be changed by other users (mode 0666)"))
    let missing = try await halyard("title", "--config", "\(file).none", "a.test")
    #expect(missing.status == 64)
    #expect(missing.messages.contains("\(file).none: open: No such file"))
  }

  @Test func `all commands are shown, as TOML and as JSON`() async throws {
    let folder = try Folder()
    let file = try folder.path("settings.toml", holding: "")
    let shown = try await halyard("config", "--config", file)
    #expect(shown.status == 0)
    #expect(shown.output.contains("\n[title]\n"))
    #expect(shown.output.contains("\nconcurrency = 256  # default\n"))
    let lines = try await halyard("config", "--config", file, "--json")
    #expect(lines.status == 0)
    #expect(
      try lines.rows().contains { $0["command"] == "title" && $0["name"] == "retries" && $0["value"] == "3" })
  }

  @Test func `a command that is not there is told`() async throws {
    let ended = try await halyard("config", "titel")
    #expect(ended.status == 64)
    #expect(ended.messages.contains("did you mean 'title'?"))
  }
}
