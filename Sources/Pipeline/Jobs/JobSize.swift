/// How large a job may be. Whatever else goes with it, and however much its texts grow as JSON, it then fits into every
/// message that carries it.
extension Job {
  /// Bytes of its record.
  public static let mostBytes = 2 << 20

  /// Itself, or what is left of a job that is too large: it is refused, and its row says so.
  public var bounded: Job {
    let bytes = JobRecord.bytes(of: self)
    guard bytes > Self.mostBytes else { return self }
    var job = self
    job.refusal = Failure(
      .invalidInput, at: .input,
      "read ordinal \(self.ordinal) of its batch: the job takes \(bytes) bytes, and \(Self.mostBytes) is the most; give a shorter link, or keep fewer columns"
    )
    job.cutTexts()
    return job
  }

  /// The bytes that its texts add to a message.
  public var textBytes: Int {
    let own = (self.input?.utf8.count ?? 0) + (self.ref?.utf8.count ?? 0) + (self.origin?.textBytes ?? 0)
    return self.kept.reduce(own + self.reading.textBytes) { $0 + $1.name.utf8.count + $1.value.utf8.count }
  }

  private mutating func cutTexts() {
    self.input = self.input?.shortened(toBytes: Failure.longestMessage)
    self.ref = self.ref?.shortened(toBytes: Failure.longestMessage)
    self.reading = Reading()
    self.kept = []
    self.origin = nil
  }
}
