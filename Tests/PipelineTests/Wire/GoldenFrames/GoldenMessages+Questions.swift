import JSONQuery
import Pipeline

/// What operators ask and want done, and what they are told.
extension GoldenMessages {
  static let questions: [(name: String, envelope: Envelope)] = [
    ("ask-status", ask(StatusQuestion())),
    ("ask-status-of-up", ask(StatusQuestion(of: FleetSize(fetchers: 4, decoders: 2), by: 17))),
    ("ask-progress", ask(ProgressQuestion(of: batch))),
    ("ask-job", ask(JobQuestion(job.id))),
    ("ask-jobs", ask(JobListing(JobSearch()))),
    ("ask-jobs-chosen", ask(listing)),
    ("ask-batches", ask(search)),
    ("ask-fetch-options", ask(FetchOptionsQuestion())),
    ("ask-ledger-size", ask(LedgerSizeQuestion())),
    ("ask-care-copy", ask(CareOrder(.copy), wishDeadline)),
    ("ask-care-shrink", ask(CareOrder(.shrink), wishDeadline)),
    ("ask-care-forget", ask(CareOrder(forgetting), wishDeadline)),
    ("ask-care-progress", ask(CareQuestion(of: worker.uuid, forgetting))),
    ("ask-requeue-without-deadline", ask(RequeueOrder(JobChoice(batch)))),
    ("ask-requeue", ask(RequeueOrder(JobChoice(batch)), lateDeadline)),
    ("ask-requeue-of-kinds", ask(RequeueOrder(JobChoice(batch), of: [.timeout, .dns]), lateDeadline)),
    (
      "ask-requeue-of-host",
      ask(RequeueOrder(JobChoice(host: "example.org", since: wishDeadline)), lateDeadline)
    ),
    ("ask-cancel", ask(CancelOrder(JobChoice(batch), cause: "no longer needed"), lateDeadline)),
    (
      "ask-cancel-job", ask(CancelOrder(JobChoice(job: JobID(wish)), cause: "no longer needed"), lateDeadline)
    ),
    ("ask-pause", ask(PauseOrder(pause, of: .batch(batch)), lateDeadline)),
    ("ask-pause-host", ask(PauseOrder(Pause(by: "ann@box"), of: .host("example.org:8080")), lateDeadline)),
    ("ask-resume-all", ask(PauseOrder(nil, of: .all), lateDeadline)),
    ("ask-change", ask(ChangeOrder(batch, BatchTerms(name: "monday")), lateDeadline)),
    ("ask-drain", ask(DrainOrder(worker), lateDeadline)),
    ("ask-scale", ask(ScaleOrder(.decoder, to: 4))),
    ("tell-report", tell(RawJSON(Array(#"{"schema":"halyard.status/1"}"#.utf8)))),
    ("tell-nothing", tell(nil as RawJSON?)),
    ("tell-count", tell(700 as UInt64)),
    ("tell-page", tell(ReportPage([RawJSON(Array("{}".utf8))], next: place))),
    ("tell-last-page", tell(ReportPage<Int64>())),
    ("tell-leaving", tell(DrainOrder.Reply.leaving(jobs: 12))),
    ("tell-gone", tell(DrainOrder.Reply.gone)),
    ("tell-paused", tell(PauseOrder.Reply(isPaused: true, wasChanged: false))),
    ("tell-fetch-options", tell(fetchOptions)),
    ("tell-progress", tell(progress)),
    ("tell-progress-left", tell(leftProgress)),
    ("tell-progress-paused", tell(pausedProgress)),
    ("tell-progress-with-ends", tell(endedProgress)),
    ("tell-time", Envelope(.tell(Tell(to: asked, at: wishDeadline)))),
    ("tell-unknown", Envelope(.tell(Tell(to: asked, at: wishDeadline, refusal: .unknown)))),
    ("tell-unreadable", Envelope(.tell(Tell(to: asked, at: wishDeadline, refusal: .unreadable)))),
  ]

  private static let asked = Ask(StatusQuestion(), replyTo: producer, id: wish)
  /// A program that gets the frame may carry it out.
  private static let lateDeadline = Moment(unixMilliseconds: 4_000_000_000_000)
  private static let forgetting = LedgerTask.forget(pruning, olderThanMilliseconds: 172_800_000)

  private static func ask(_ question: some FleetQuestion, _ deadline: Moment? = nil) -> Envelope {
    Envelope(.ask(Ask(question, replyTo: producer, id: wish, deadline: deadline)))
  }

  private static func tell(_ reply: some Encodable) -> Envelope {
    Envelope(.tell(Tell(to: asked, at: wishDeadline, reply)))
  }
}
