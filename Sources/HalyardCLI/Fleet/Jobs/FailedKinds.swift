import Pipeline
import Recipes

/// The failures that `--failed-kind` names.
enum FailedKinds {
  /// Empty when the option is not given.
  static func chosen(_ arguments: ParsedArguments) throws(UsageError) -> Set<FailureKind> {
    var kinds: Set<FailureKind> = []
    for name in arguments[JobOption.failedKind] {
      guard let kind = FailureKind(rawValue: name) else {
        let near = Suggestion.nearest(3, to: name, among: FailureKind.allCases.map(\.rawValue))
        throw arguments.rejection(
          of: JobOption.failedKind,
          "\(Printable.quoted(name)) is no kind of failure; the nearest are \(near.joined(separator: ", "))")
      }
      kinds.insert(kind)
    }
    return kinds
  }
}
