/// How often roles speak when there is nothing to say.
package enum Heartbeat {
  /// Between two HELLOs of a worker.
  package static let helloMilliseconds: Int64 = 2_000
  /// Until a fetcher says which of its new jobs only wait for their servers.
  package static let confirmationMilliseconds: Int64 = 500
  /// A job counts as executing for so long, so that one whose server answers soon always does.
  package static let quickAnswerMilliseconds: Int64 = 250
  /// Until an unanswered message is sent again.
  package static let resendMilliseconds: Int64 = 1_000
  /// A worker that says nothing for so long is taken for dead.
  package static let workerLifeMilliseconds: Int64 = 10_000
  /// A draining decoder that gets nothing for so long will get nothing more.
  package static let quietMilliseconds: Int64 = 300
  /// A live peer speaks again so soon after its lane was cut.
  static let reappearanceMilliseconds: Int64 = 4_000
  /// A turn of the aggregator's loop that seems longer than this was no listening.
  static let longestTurnMilliseconds: Int64 = 2_500
  /// A message that did not arrive within this time is taken for lost.
  static let lostFrameMilliseconds: Int64 = 5_000
  /// How long a worker has at least to speak to an aggregator that has started again. Short, because one that starts
  /// again and again must find out all the same.
  static let reunionMilliseconds: Int64 = 300
  /// The same after so long an absence that lanes are tried again only every two seconds.
  static let lateReunionMilliseconds: Int64 = 3_000
  static let longAbsenceMilliseconds: Int64 = 5_000
  /// How long to ask the decoders for documents that a dead fetcher may have handed over.
  static let searchMilliseconds: Int64 = 20
  /// How long a worker that ends tries to say so.
  package static let farewellMilliseconds: Int64 = 500
  /// Messages taken from an inbox at once.
  package static let burst = 256
}
