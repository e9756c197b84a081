import Halyard

// The adapters of the documentation, word for word.

struct LogCalls: CallObserver {
  let logger: Logger

  func callBegan(_ call: ObservedCall) -> CallEnd? {
    { report in
      guard let error = report.error else { return }
      logger.log(level: .warning, "call failed", metadata: ["link": "\(call.link)", "error": "\(error)"])
    }
  }

  func noted(_ note: PipelineNote) {
    let level = Logger.Level(rawValue: note.level.rawValue) ?? .info
    logger.log(level: level, "\(note.message)", metadata: note.metadata.mapValues { .string($0) })
  }
}

struct MeasureCalls: CallObserver {
  func callBegan(_ call: ObservedCall) -> CallEnd? {
    { report in
      let outcome = report.error?.kind.rawValue ?? "ok"
      let dimensions = [("kind", call.kind.rawValue), ("outcome", outcome)]
      Counter(label: "halyard_calls", dimensions: dimensions).increment()
      Timer(label: "halyard_call_time", dimensions: dimensions).record(duration: report.duration)
    }
  }
}

struct TraceCalls: CallObserver {
  func callBegan(_ call: ObservedCall) -> CallEnd? {
    let span = startSpan("halyard \(call.kind.rawValue)", ofKind: .client)
    span.attributes["url.full"] = SpanAttribute.string(call.link)
    return { report in
      if let error = report.error {
        span.recordError(error)
        span.setStatus(SpanStatus(code: .error))
      }
      span.end()
    }
  }
}
