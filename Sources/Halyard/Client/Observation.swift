internal import JSONQuery
internal import Pipeline
internal import Roles

/// One call as observers see it: it begins once, and ends once.
struct Observation: Sendable {
  private let start = ContinuousClock.now
  private let ends: [CallObserver.CallEnd]

  /// nil when no one waits for the end.
  init?(of draft: JobDraft, by observers: [any CallObserver]) {
    guard !observers.isEmpty else { return nil }
    let call = ObservedCall(kind: ObservedCall.Kind(rawValue: draft.kind.name), link: draft.input ?? "")
    ends = observers.compactMap { $0.callBegan(call) }
    guard !ends.isEmpty else { return nil }
  }

  func end(_ report: CallReport) {
    var report = report
    report.duration = ContinuousClock.now - start
    for end in ends { end(report) }
  }
}

extension CallReport {
  /// What a row says of the way, whatever is read from it.
  mutating func note(_ row: AnswerRow) {
    (url, status, isCached) = (row["url"]?.string, row.optionalNumber("http_status"), row.age != nil)
  }

  /// - Parameter result: The result that the caller gets.
  func of(_ result: Result<some Sendable, HalyardError>) -> CallReport {
    guard case .failure(let error) = result else { return self }
    var report = self
    (report.error, report.url, report.status) = (error, error.url ?? url, error.status ?? status)
    return report
  }
}

/// The pipeline's way to observers.
struct ObserverLog: Log {
  let observers: [any CallObserver]

  /// Nothing is recorded when no one looks.
  static func log(for observers: [any CallObserver]) -> any Log {
    observers.isEmpty ? NoLog() : ObserverLog(observers: observers)
  }

  func record(_ level: LogLevel, _ message: StaticString, _ metadata: [LogField]) {
    let note = PipelineNote(
      PipelineNote.Level(rawValue: level.rawValue) ?? .info, "\(message)",
      metadata: Dictionary(metadata.map { ($0.name, $0.value) }) { first, _ in first })
    for observer in observers { observer.noted(note) }
  }
}
