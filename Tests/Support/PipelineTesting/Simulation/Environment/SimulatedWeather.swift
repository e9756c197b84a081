/// What the network does to messages: rates from 0 to 1, times in milliseconds.
struct SimulatedWeather: Sendable {
  /// How long a message is under way.
  var delay: ClosedRange<Int64> = 0...2
  /// Some take longer, and hold up what is behind them.
  var lateRate = 0.0
  var late: ClosedRange<Int64> = 20...1_500
  /// A forged frame comes beside the one that was sent.
  var noiseRate = 0.0
  /// No notice says that a lane went up or down.
  var lostNoticeRate = 0.0
  /// A death is noticed only by silence.
  var lostHostRate = 0.0
  /// Harsher than a lane is: messages get lost, come twice, or overtake each other without the lane breaking.
  var lossRate = 0.0
  var doubleRate = 0.0
  var overtakeRate = 0.0

  /// How long it takes to notice that a lane broke.
  static let notice: ClosedRange<Int64> = 0...5
  /// The same when the peer cannot even say that it is gone.
  static let heartbeat: ClosedRange<Int64> = 5_000...12_000
  static let reconnect: ClosedRange<Int64> = 100...300
}
