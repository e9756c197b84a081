package import Testing

/// Returns when something has become true, or its task is cancelled; records where it was waited for in vain.
package func until(_ isTrue: () -> Bool, at place: SourceLocation = #_sourceLocation) async {
  let patience = Duration.seconds(240)
  let deadline = ContinuousClock.now + patience
  while !isTrue(), !Task.isCancelled {
    guard ContinuousClock.now < deadline else {
      Issue.record("waited \(patience) in vain for this", sourceLocation: place)
      return
    }
    await Task.yield()
  }
}
