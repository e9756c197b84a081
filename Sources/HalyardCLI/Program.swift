import Pipeline
import Posix
import Roles

/// The whole command line tool.
public enum Program {
  /// Runs the words behind the program's name.
  ///
  /// - Returns: The exit status.
  public static func run(_ words: [String]) async -> Int32 {
    await run(words, WorkerFittings())
  }

  /// - Parameter fittings: What a worker process is built with.
  package static func run(_ words: [String], _ fittings: WorkerFittings) async -> Int32 {
    holdStandardStreams()
    ignoreBrokenPipes()
    returnLargeBlocks()
    let environment = environmentVariables()
    if let command = words.first, let format = LogFormat.early(words, environment) {
      Console.standardError.speak(as: format, role: command)
    }
    let status: Int32
    do {
      status = try await run(words, environment: environment, fittings).rawValue
    } catch {
      status = report(error).rawValue
    }
    // The last line of a log often says why it is the last.
    await Console.standardError.settle()
    return status
  }

  private static func run(
    _ words: [String], environment: [String: String], _ fittings: WorkerFittings
  ) async throws -> ExitCode {
    switch try Invocation.parse(words, environment: environment, settings: .defaultFiles(environment)) {
    case .show(let text): return try show(text)
    case .run(let arguments):
      try DescriptorRoom.check(for: arguments.command)
      speak(arguments)
      warn(arguments)
      return try await arguments.command.run(CommandContext(arguments: arguments, fittings: fittings))
    }
  }

  /// A file of settings may ask for another form of the log than was known before it was read.
  private static func speak(_ arguments: ParsedArguments) {
    guard CommandTable.longRunning.contains(arguments.command), !arguments[FleetOption.detach] else { return }
    let format = LogPlan(arguments).format
    let isForPeople = format == .text && !arguments[FleetOption.untilInputEnds]
    Console.standardError.speak(as: format, role: isForPeople ? nil : arguments.command.name)
  }

  /// 'up' says it for its workers.
  private static func warn(_ arguments: ParsedArguments) {
    guard !arguments[FleetOption.untilInputEnds] else { return }
    let format = LogPlan(arguments).format
    for warning in UnknownVariables.warnings(arguments.environment) {
      let event = LogEvent(.warning, message: warning, role: arguments.command.name)
      Console.standardError.write(format == .text ? Printable.lines(warning) : event.line(as: format))
    }
  }

  static func report(_ error: any Error) -> ExitCode {
    switch error {
    case let error as any ReportedError:
      Console.standardError.show(error.rendered, at: .error)
      return error.exitCode
    case let error as PosixError where error.isBrokenPipe: return .brokenPipe
    case let error as PosixError:
      Console.standardError.show("halyard: \(error.message)\n", at: .error)
      return .bug
    default:
      Console.standardError.show(
        "halyard: \(error); this is a fault of halyard, please report it\n", at: .error)
      return .bug
    }
  }
}

/// What the process says when it ends; 64 and up follow sysexits.h, 128 + n stands for signal n.
enum ExitCode: Int32, CaseIterable, Sendable {
  case ok = 0
  /// The run is complete, and some of its jobs failed.
  case someFailed = 1
  /// The command line, a `HALYARD_*` variable or a file of settings makes no sense; nothing was done.
  case usage = 64
  /// The input or output file cannot be read, parsed or written.
  case badInput = 65
  /// The ledger cannot be used, the fleet does not answer, too few files may be open, or the kernel has no sandbox.
  case unreachable = 69
  /// A fault of this program.
  case bug = 70
  /// For 'up' and service managers: this worker is to be started again, because it cannot read its files anew, or the fleet
  /// has other options than it took.
  case startAgain = 75
  /// For 'up' and service managers: this worker's ledger or address can never be used as it is, so it need not be started
  /// again.
  case permanent = 78
  /// For 'up' and service managers: the fleet wanted this worker to end, so it is not started again.
  case drained = 79
  case interrupted = 130
  case brokenPipe = 141
  case terminated = 143
}

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
      "halyard: batch \(batch) is gone, and not all of its rows came: it was deleted, or the fleet's ledger is another one, as"
        + " 'halyard status' says\n"
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
