import JSONQuery
import Pipeline
import Posix
import Roles

/// The command `change`: other terms for a batch that is there.
struct ChangeCommand {
  private let arguments: ParsedArguments
  private let batch: BatchText
  private let terms: BatchTerms
  private let fleet: FleetLinkPlan

  init(_ arguments: ParsedArguments, fleet: FleetLinkPlan) throws(UsageError) {
    guard let batch = BatchText(arguments) else {
      throw UsageError("no batch given", command: arguments.command)
    }
    terms = try TermsText.terms(arguments, at: Moment(unixMilliseconds: SystemTime.unixMilliseconds))
    guard terms != BatchTerms() else {
      throw UsageError(
        "nothing to change; give --priority, --at-most, --rate or --at", command: arguments.command)
    }
    (self.arguments, self.batch, self.fleet) = (arguments, batch, fleet)
  }

  func run() async throws -> ExitCode {
    let name = Printable.text(arguments.operands.first ?? "")
    do {
      guard try await fleet.withLink({ try await $0.client.change(batch.id, terms) }) else {
        throw batch.unknown
      }
    } catch let error as ChangeUnconfirmed {
      let next = NextCommand(after: arguments)("batches", "--limit", "20")
      Message.show(error.words("batch \(name) is changed", next: next))
      return .unreachable
    }
    guard arguments[FleetOption.json] else {
      try DescriptorSink().write(Array("batch \(name) is changed\n".utf8))
      return .ok
    }
    let line = JSONWriter.line { line in
      line.member("batch", batch.id.description)
      terms.write(to: &line)
    }
    try DescriptorSink(.json).write(line)
    return .ok
  }
}
