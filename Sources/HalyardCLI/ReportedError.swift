import Pipeline
import Posix
import Roles

/// An error that ends a command with a message to its user.
protocol ReportedError: Error {
  /// Whole lines.
  var rendered: String { get }
  var exitCode: ExitCode { get }
}

extension ReportedError {
  /// Something cannot be had or reached that the command needs.
  var exitCode: ExitCode { .unreachable }
}

extension FleetRefusal: ReportedError {}
extension FleetSilent: ReportedError {}
extension TooFewDescriptors: ReportedError {}

extension DistrustedPath: ReportedError {
  var rendered: String { "halyard: \(Printable.text(message))\n" }
}

extension QuestionRefused: ReportedError {
  var rendered: String {
    let trouble =
      switch refusal {
      case .unknown: "does not know the question"
      case .unreadable: "cannot read the question"
      }
    return "halyard: the fleet \(trouble) '\(name)': it is of another version; 'halyard status' says which\n"
  }
}

extension RowsLost: ReportedError {
  var rendered: String {
    switch cause {
    case .deleted:
      "halyard: batch \(batch) was deleted while its rows were read: not all of them came\n"
    case .otherLedger:
      "halyard: a copy was put in place of the fleet's ledger while rows of batch \(batch) were read: some may be missing or"
        + " come twice; read the batch again from its first row\n"
    }
  }
}

extension LedgerError: ReportedError {
  var rendered: String { "halyard: \(Printable.text(message))\n" }
}

extension TransportError: ReportedError {
  var exitCode: ExitCode { if case .malformed = self { .usage } else { .unreachable } }
}

extension UsageError: ReportedError {
  var exitCode: ExitCode { .usage }
}

extension InputError: ReportedError {
  var exitCode: ExitCode { .badInput }
}

extension SubmissionRefused: ReportedError {
  var rendered: String { "halyard: \(Printable.text(failure.message))\n" }
  /// The list is at fault, or else the fleet, which has lost its ledger.
  var exitCode: ExitCode { failure.kind == .invalidInput ? .badInput : .unreachable }
}

extension OutputError: ReportedError {
  var exitCode: ExitCode {
    switch self {
    case .brokenPipe: .brokenPipe
    case .failed: .badInput
    case .malformedRow: .bug
    }
  }
}

/// Something cannot be served where it is to be, mostly because another process has the address.
struct CannotServe: ReportedError, Hashable {
  /// nil for the service itself.
  var what: String?
  var place: String
  var cause: String
  var remedy: String?

  var rendered: String {
    let served = what.map { "\($0) " } ?? ""
    let next = remedy.map { "; \($0)" } ?? ""
    return "halyard: cannot serve \(served)at \(Printable.text(place)): \(Printable.text(cause))\(next)\n"
  }
}
