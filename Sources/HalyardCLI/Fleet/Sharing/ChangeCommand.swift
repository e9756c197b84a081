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
    terms = try TermsText.terms(arguments, at: Moment(unixMilliseconds: SystemTime.unixMilliseconds))
    try arguments.require(
      terms != BatchTerms(), "nothing to change; give --priority, --at-most, --rate or --at")
    (self.arguments, batch, self.fleet) = (arguments, BatchText(arguments.operands[0]), fleet)
  }

  func run() async throws -> ExitCode {
    let state = "batch \(Printable.text(arguments.operands[0])) is changed"
    let isKnown = try await fleet.changing(state, after: arguments, see: ["batches", "--limit", "20"]) {
      try await $0.client.ask(ChangeOrder(batch.id, terms))
    }
    guard let isKnown else { return .unreachable }
    guard isKnown else { throw batch.unknown }
    let json = JSONWriter.line(of: OfBatch(batch: batch.id, report: TermsReport(terms)))
    return try arguments.show(json: json, text: "\(state)\n")
  }
}
