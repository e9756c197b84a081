package import Links
package import Pipeline

/// The first look at a job: what cannot be fetched ends here.
package enum Intake {
  /// Where the job waits for its turn. What goes to no host takes many turns at once.
  package static func host(of job: Job) throws(Failure) -> String { try place(of: job).host }

  /// Where the job waits, and its link, if it has one.
  package static func place(of job: Job) throws(Failure) -> (host: String, link: WebURL?) {
    guard job.kind != .echo else { return ("echo \(job.ordinal % echoTurns)", nil) }
    let link = try link(of: job)
    return (link.hostKey, link)
  }

  private static let echoTurns: UInt64 = 1_024

  /// Why nothing of a submission can be taken; nil when it can.
  package static func refusal(of submit: Submit) -> Failure? {
    let isItsOwn = submit.jobs.allSatisfy { job in
      job.batch == submit.batch && job.id == JobID(batch: job.batch, ordinal: job.ordinal)
    }
    guard isItsOwn, !submit.batch.isOfCalls else {
      return Failure(
        .invalidInput, at: .input,
        "submit to batch \(submit.batch): a job of another batch is among them; submit each batch by itself")
    }
    let jobs = submit.jobs.map { $0.ordinal }.max().map { $0 < .max ? $0 + 1 : $0 } ?? 0
    if max(jobs, submit.total ?? 0) > Job.mostInBatch {
      return Failure(
        .invalidInput, at: .input,
        "submit to batch \(submit.batch): a batch has at most \(Job.mostInBatch) jobs; begin another one")
    }
    guard let total = submit.total, jobs > total else { return nil }
    return Failure(
      .invalidInput, at: .input,
      "submit to batch \(submit.batch): job \(jobs) is not one of its \(total); count all jobs of the batch")
  }

  /// The job's input as a link, or why it is not one.
  package static func link(of job: Job) throws(Failure) -> WebURL {
    if let refusal = job.refusal { throw refusal }
    guard let input = job.input, !input.isEmpty else {
      throw Failure(
        .missingInput, at: .input,
        "read ordinal \(job.ordinal) of its batch: there is no link in it; give an http or https address")
    }
    do {
      return try WebURL.userInput(input)
    } catch {
      throw Failure(error.failureKind, at: .input, "read '\(printableLink(input))': \(error.message)")
    }
  }
}

extension LinkError {
  fileprivate var failureKind: FailureKind {
    if case .unsupportedScheme = self { .unsupportedScheme } else { .invalidInput }
  }
}
