import HalyardCLI
import Pipeline
import Posix

/// halyard as `scripts/chaos` needs it: the same in everything but what its environment asks to go wrong, and to be newer.
@main
enum Main {
  static func main() async {
    let environment = environmentVariables()
    var fittings = WorkerFittings()
    if let text = environment["FAULTY_HALYARD"] {
      guard let fault = Fault(text) else { fatalError("FAULTY_HALYARD=\(text) makes no sense") }
      fittings.ledger = { FaultyLedger(base: $0, fault: fault) }
      fittings.transport = { FaultyTransport(base: $0, fault: fault) }
      fittings.fetching = { FaultyFetching(base: $0, fault: fault) }
      fittings.reading = { document in
        if document.url.contains("faulty") { fault.passes(.reading) }
      }
    }
    if let wire = environment["NEWER_HALYARD"] {
      guard wire == "1.1" else { fatalError("NEWER_HALYARD=\(wire) makes no sense") }
      fittings.program = WorkerProgram(version: "9.9.9", wire: 0x0101)
      fittings.frames = NewerFrames.made
    }
    exitProcess(await Program.run(Array(Program.commandLine.dropFirst()), fittings))
  }
}
