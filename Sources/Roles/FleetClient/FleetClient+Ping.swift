package import Pipeline

/// An echo that came back.
package struct Ping: Sendable {
  /// When it was sent and when its row was here, in Unix microseconds.
  package var sentAt: Int64
  package var cameBackAt: Int64
  /// Its row, which tells when each role had it.
  package var row: NumberedRow
}

extension FleetClient {
  /// Sends echoes through every role, one after the other.
  ///
  /// - Parameters:
  ///   - batch: A new one.
  ///   - name: A host name that nothing else in the fleet is about.
  package func ping(
    _ batch: BatchID, count: UInt64, name: String, _ sink: @Sendable (Ping) async throws -> Void
  ) async throws {
    for number in 0..<count {
      let job = Job(batch: batch, ordinal: number, kind: .echo, input: "http://\(name)/")
      let submit = Submit(
        batch: batch, sequence: UInt32(clamping: number), replyTo: address, jobs: [job],
        total: number + 1 == count ? count : nil)
      // Asked for beforehand, so that the row comes as soon as it is there.
      let wish = Query(replyTo: address, .copies(of: batch, after: number, limit: number + 1))
      let sentAt = ports.clock.microseconds
      let row = try await exchange([.query(wish), .submit(submit)]) { message -> NumberedRow? in
        guard case .answer(.rows(of: batch, _, let rows)) = message else { return nil }
        return rows.first { $0.number == number + 1 }
      }
      try await sink(Ping(sentAt: sentAt, cameBackAt: ports.clock.microseconds, row: row))
    }
  }
}
