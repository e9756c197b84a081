import Pipeline

extension SimulatedTrace {
  /// A message in a few words.
  static func summary(of envelope: Envelope) -> String {
    switch envelope.message {
    case .hello(let hello):
      "hello, granted \(hello.granted) received \(hello.received) holds \(list(hello.held))"
    case .roster(let roster): "roster of \(roster.decoders.count)"
    case .credit(let credit): "credit \(credit.granted) finished \(list(credit.finished))"
    case .submit(let submit):
      "submit \(submit.sequence) of \(submit.jobs.count) jobs\(submit.total.map { ", \($0) in all" } ?? "")"
    case .receipt(let receipt): "receipt \(receipt.sequence), \(receipt.inserted) new"
    case .job(let order): "job \(text(order)) place \(envelope.laneSequence)"
    case .document(let document): "document \(text(document.order)) place \(envelope.laneSequence)"
    case .result(let result):
      "result of \(last(result.job)) under \(result.lease.token.value): \(result.failure?.kind.rawValue ?? "ok")"
    case .ack(let ack): "ack \(list(ack.tokens))"
    case .giveBack(let giveBack): "\(giveBack.reason), gives back \(list(giveBack.tokens))"
    case .cancel(let cancel): "cancel, \(cancel.cause)"
    case .drain: "drain"
    case .bye: "bye"
    case .query(let query): "query \(text(query.question))"
    case .answer(let answer): "answer \(text(answer))"
    case .ask(let ask): "asks \(ask.name)\(ask.deadline == nil ? "" : " in time")"
    case .tell(let tell): "tells \(tell.name) \(String(decoding: tell.json.prefix(64), as: UTF8.self))"
    case .hostSlotRequest(let request):
      "slot request \(request.number) under \(request.token.value) to \(request.host)"
    case .hostSlotGrant(let grant):
      "slot grant \(grant.number) under \(grant.token.value)\(grant.refusal == nil ? "" : ", refused")"
    }
  }

  private static func text(_ order: JobOrder) -> String {
    "\(last(order.job.id)) under \(order.lease.token.value), attempt \(order.lease.attempt)"
  }

  private static func text(_ question: Query.Question) -> String {
    switch question {
    case .rows(of: _, let confirmed, let limit): "rows \(confirmed) to \(limit)"
    case .copies(of: _, let after, let limit): "copies \(after) to \(limit)"
    case .storedRows(of: _, let after): "stored rows after \(after.value)"
    }
  }

  private static func text(_ answer: Answer) -> String {
    switch answer {
    case .rows(of: _, _, let rows): "rows \(rows.first?.number ?? 0) to \(rows.last?.number ?? 0)"
    case .complete(_, let rows): "complete with \(rows)"
    case .storedRows(let after, let page): "\(page.items.count) stored rows after \(after.value)"
    }
  }

  private static func last(_ job: JobID) -> String { "job \(job.uuid.low & 0xFF_FFFF_FFFF)" }

  private static func list(_ tokens: [LeaseToken]) -> String {
    "[\(tokens.map { "\($0.value)" }.joined(separator: " "))]"
  }
}
