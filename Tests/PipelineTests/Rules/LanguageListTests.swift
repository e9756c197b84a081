import Pipeline
import Testing

@Suite struct LanguageListTests {
  @Test(arguments: [
    "de", "pt-BR, pt;q=0.8", "*", "en-US,en;q=0.5,*;q=0", "zh-Hant-TW", "de ; Q=1.000", "de;q=0.",
    "\tde , fr",
    "es-419",
  ])
  func `languages are taken as headers have them`(text: String) {
    #expect(LanguageList.isOne(text))
  }

  @Test(arguments: [
    "", " ", "de,", ",de", "de_DE", "German!", "deutschland", "d1", "de-", "-de", "de fr", "de;", "de;q",
    "de;q=2",
    "de;q=1.5", "de;q=0.1234", "de;q=x", "de;q=0,5", "de;q=0.5;q=0.5", "de;level=1", "de\r\nX: y", "dé", "**",
    String(repeating: "de,", count: 200) + "de",
  ])
  func `what a server could not read is refused`(text: String) {
    #expect(!LanguageList.isOne(text))
  }
}
