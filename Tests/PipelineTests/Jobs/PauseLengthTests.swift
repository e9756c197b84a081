import Pipeline
import Testing

struct PauseLengthTests {
  @Test(arguments: [(1, 1), (0, nil), (-5, nil), (.min, nil), (nil, nil)] as [(Int64?, Int64?)])
  func `a pause lasts some time, or until it is resumed`(wanted: Int64?, kept: Int64?) {
    let pause = Pause(by: "ann@box", at: Moment(unixMilliseconds: 7), lastsMilliseconds: wanted)
    #expect(pause.lastsMilliseconds == kept)
    #expect(pause.until == kept.map { Moment(unixMilliseconds: 7 + $0) })
  }
}
