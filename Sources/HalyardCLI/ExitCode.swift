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
