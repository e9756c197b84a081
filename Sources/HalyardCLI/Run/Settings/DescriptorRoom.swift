import Posix

/// Keeps transfers to the files that may be open.
enum DescriptorRoom {
  /// With fewer, what the program itself opens leaves nothing for a transfer.
  private static let fewest = 32
  /// Each lane between the processes of a fleet takes several.
  static let fewestOfFleet = 64

  static func check(for command: CommandSpec) throws(TooFewDescriptors) {
    guard !CommandTable.needFewDescriptors.contains(command) else { return }
    let fleet = [CommandTable.up] + CommandTable.workers
    let needed = fleet.contains(command) ? fewestOfFleet : fewest
    guard let limit = raiseDescriptorLimit(to: needed), limit < needed else { return }
    throw TooFewDescriptors(limit: limit, needed: needed)
  }

  static func tell(_ connections: Int, _ wanted: Int, _ files: Int) {
    Message.show(
      "halyard: \(connections) transfers at a time, not \(wanted): only \(files) files may be open (ulimit -n)\n"
    )
  }
}

/// The process may open too few files to work at all.
struct TooFewDescriptors: Error {
  var limit: Int
  var needed: Int

  var rendered: String {
    """
    halyard: only \(limit) files may be open, and at least \(needed) are needed
    try:   ulimit -n 1024   (root can, where the shell refuses)

    """
  }
}
