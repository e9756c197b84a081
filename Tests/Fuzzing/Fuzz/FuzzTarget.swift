/// What can be fuzzed. A check traps when the code under it does, or when it breaks its promise.
enum FuzzTarget: String, CaseIterable {
  case envelope
  case inbox
  case request
  case url
  case json
  case jsonpath
  case page
  case robots
  case recipe
  case toml
  case list
  case markdown
  case html
  case text

  var check: @Sendable ([UInt8]) -> Void {
    switch self {
    case .envelope: checkEnvelope
    case .inbox: checkInbox
    case .request: checkRequests
    case .url: checkURL
    case .json: checkJSON
    case .jsonpath: checkJSONPath
    case .page: checkPage
    case .robots: checkRobots
    case .recipe: checkRecipe
    case .toml: checkTOML
    case .list: checkList
    case .markdown: checkMarkdown
    case .html: checkHTML
    case .text: checkText
    }
  }
}

/// Ends the process with the promise that was broken.
func require(_ holds: Bool, _ promise: @autoclosure () -> String) {
  guard holds else { fatalError(promise()) }
}
