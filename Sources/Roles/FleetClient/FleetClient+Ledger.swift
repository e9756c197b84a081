import JSONQuery
package import Pipeline

/// Care of the fleet's ledger.
extension FleetClient {
  /// How often to ask how far it is.
  private static let askingMilliseconds: Int64 = 250

  /// Has something done with the ledger, and waits for its end.
  ///
  /// - Returns: The report of the end, of the schema `halyard.ledger/1`.
  package func care(_ task: LedgerTask) async throws -> [UInt8] {
    guard task != .size else { return try await ask(LedgerSizeQuestion()).bytes }
    let id = ports.random.uuid(at: ports.clock.now)
    var json: [UInt8]
    do {
      json = try await ask(CareOrder(task), id: id).bytes
    } catch let error as ChangeUnconfirmed {
      throw error.silence
    }
    while try JSONDocument(parsing: json).root["state"]?.string == "working" {
      try await ports.clock.sleep(until: ports.clock.now.advanced(byMilliseconds: Self.askingMilliseconds))
      json = try await ask(CareQuestion(of: id, task)).bytes
    }
    return json
  }

  /// A page of the rows of all batches, or of one.
  package func storedRows(of batch: BatchID?, after place: RowPlace) async throws -> StoredRows {
    try await exchange([.query(Query(replyTo: address, .storedRows(of: batch, after: place)))]) { message in
      if case .answer(.storedRows(after: place, let page)) = message { page } else { nil }
    }
  }
}
