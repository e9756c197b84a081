/// Whether a worker may work for its fleet.
package enum MemberVerdict: Hashable, Sendable {
  case compatible
  /// It gets nothing new, and ends when it has finished.
  case draining
  /// It gets nothing to do, for this reason.
  case refused(String)

  /// As the status names it.
  package var name: String {
    switch self {
    case .compatible: "compatible"
    case .draining: "draining"
    case .refused: "refused"
    }
  }

  package var reason: String? { if case .refused(let reason) = self { reason } else { nil } }
}
