import HalyardCLI
import Pipeline
import Posix

/// halyard as `scripts/chaos` needs it: the same in everything but what its environment asks to go wrong.
@main
enum Main {
  static func main() async {
    var fittings = WorkerFittings()
    if let text = environmentVariables()["FAULTY_HALYARD"] {
      guard let fault = Fault(text) else { fatalError("FAULTY_HALYARD=\(text) makes no sense") }
      fittings.ledger = { FaultyLedger(base: $0, fault: fault) }
      fittings.transport = { FaultyTransport(base: $0, fault: fault) }
      fittings.reading = { document in
        if document.url.contains("faulty") { fault.passes(.reading) }
      }
    }
    exitProcess(await Program.run(Array(CommandLine.arguments.dropFirst()), fittings))
  }
}
