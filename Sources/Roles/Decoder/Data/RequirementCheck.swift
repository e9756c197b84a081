import JSONQuery
import Pipeline

/// What a `decode` job demands of its document.
enum RequirementCheck {
  static func check(_ text: String, of url: String, in root: JSONValue) throws(Failure) {
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
