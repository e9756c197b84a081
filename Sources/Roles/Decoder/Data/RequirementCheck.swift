import JSONQuery
import Pipeline

/// What a `decode` job demands of its document.
struct RequirementCheck {
  private let text: String
  private let url: String

  init(_ text: String, of url: String) {
    self.text = text
    self.url = url
  }

  func check(_ root: JSONValue) throws(Failure) {
    let requirement: JSONRequirement
    do {
      requirement = try JSONRequirement(text)
    } catch {
      throw Failure(.invalidInput, at: .json, "require \(error.message)")
    }
    do {
      try requirement.check(root)
    } catch {
      let kind: FailureKind =
        switch error {
        case .missing, .otherType: .decodeMismatch
        case .tooMuch: .bodyTooLarge
        }
      throw Failure(kind, at: .json, "require '\(text)' of \(url): \(error.message)")
    }
  }
}
