import Pipeline
import Posix
import Roles

/// An error that ends a command with a message to its user.
protocol ReportedError: Error {
  /// Whole lines.
  var rendered: String { get }
  var exitCode: ExitCode { get }
}

extension UsageError: ReportedError {
  var exitCode: ExitCode { .usage }
}

extension InputError: ReportedError {
  var exitCode: ExitCode { .badInput }
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

extension SubmissionRefused: ReportedError {
  var rendered: String { "halyard: \(Printable.text(failure.message))\n" }
  var exitCode: ExitCode { .badInput }
}

extension TooFewDescriptors: ReportedError {
  var exitCode: ExitCode { .unreachable }
}

extension FleetSilent: ReportedError {
  var exitCode: ExitCode { .unreachable }
}

extension TransportError: ReportedError {
  var exitCode: ExitCode { .unreachable }
}

extension DecoderSandboxError: ReportedError {
  var exitCode: ExitCode { .unreachable }
}

extension MetricsUnavailable: ReportedError {
  var exitCode: ExitCode { .unreachable }
}

extension DistrustedPath: ReportedError {
  var rendered: String { "halyard: \(Printable.text(message))\n" }
  var exitCode: ExitCode { .unreachable }
}

extension FleetRefusal: ReportedError {
  var exitCode: ExitCode { .unreachable }
}

extension LedgerError: ReportedError {
  var rendered: String { "halyard: \(Printable.text(message))\n" }
  var exitCode: ExitCode { .unreachable }
}
