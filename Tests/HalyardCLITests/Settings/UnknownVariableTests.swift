import Testing

@testable import HalyardCLI

@Suite struct UnknownVariableTests {
  @Test(arguments: [
    ("HALYARD_TIMOUT", " is ignored — did you mean 'HALYARD_TIMEOUT'?"),
    ("HALYARD_FETCHERS", " is ignored; --fetchers has no variable"),
    ("HALYARD_FLEAT", " is ignored — did you mean 'HALYARD_FLEET'?"),
    ("HALYARD_FETCHRS", " is ignored; --fetchers has no variable"), ("HALYARD_ZZZZZZZZZZZZ", " is ignored"),
  ])
  func `a variable that changes nothing is named, with the nearest that does`(name: String, words: String) {
    #expect(UnknownVariables.warnings([name: "1"]) == ["halyard: warning: \(name)\(words)\n"])
  }

  @Test(arguments: [
    "HALYARD_TIMEOUT", "HALYARD_CONFIG", "HALYARD_AGGREGATOR_SERVICE_HOST",
    "HALYARD_AGGREGATOR_PORT_7700_TCP", "HALYARDS", "PATH",
  ])
  func `others are not`(name: String) {
    #expect(UnknownVariables.warnings([name: "1"]).isEmpty)
  }
}
