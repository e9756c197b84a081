import Testing

@testable import Recipes

/// Values that would lead a call to another path.
struct DotSegmentTests {
  private func end(_ call: String, _ value: String) throws -> (outcome: RecipeOutcome, calls: [String]) {
    let read = try recipe(
      #"{"parameters": {"base": {"type": "url", "default": "http://h/b"}, "up": {"type": "string", "default": ".."}},"#
        + #" "steps": {"a": {"call": "http://h/a"}, "b": {"after": "$a", "input": "$a", "call": "\#(call)"}}, "output": "$b"}"#
    )
    var server = ScriptedServer(["http://h/a": .document(#"{"id":"\#(value)"}"#)])
    let outcome = try server.run(read)
    return (outcome, Array(server.called.dropFirst()))
  }

  @Test(arguments: [
    ("{+base}/u/{input.id}/x", ".."), ("{+base}/u/{input.id}", "."), ("{+base}{/input.id}", ".."),
    ("{+base}/u/{+input.id}/x", "%2e%2E"), ("{+base}/u/{+input.id}/x", ".%2e"),
    ("{+base}/u/{+input.id}", "%2E"),
    ("{+base}/{+input.id}", "a/../../c"), ("{+base}/{+input.id}", "../c"), ("{+base}/.{input.id}/x", "."),
    ("{+base}/%2e{input.id}", "."), ("{+base}/u{/up,input.id}", "."), ("{+base}/{+input.id}..", "a/"),
  ])
  func `dots that an answer brings are refused`(call: String, value: String) throws {
    let (outcome, calls) = try end(call, value)
    #expect(calls.isEmpty)
    #expect(outcome.endings == "a done, b failed invalid_input")
    #expect(outcome.failure?.message.contains("a value would lead to another path") == true)
  }

  @Test(arguments: [
    ("{+base}/u/{input.id}", "...", "http://h/b/u/..."),
    ("{+base}/u/{input.id}", "a..b", "http://h/b/u/a..b"),
    ("{+base}/u/{input.id}/x", "%2e%2e", "http://h/b/u/%252e%252e/x"),
    ("{+base}/u?q={input.id}", "..", "http://h/b/u?q=.."),
    ("{+base}/u{?input.id}", "/../", "http://h/b/u?input.id=%2F..%2F"),
    ("{+base}/u#{input.id}", "/..", "http://h/b/u"), ("{+base}/{up}/{input.id}", "c", "http://h/c"),
    ("{+base}/{input.id}/../d", "c", "http://h/b/d"), ("{+input.id}", "http://h/x/../y", "http://h/y"),
    ("{+base}/u.{input.id}", ".", "http://h/b/u.."),
  ])
  func `other dots are as they are`(call: String, value: String, url: String) throws {
    #expect(try end(call, value).calls == [url])
  }
}
