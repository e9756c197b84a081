import Pipeline
import Testing

@testable import Roles

struct GivenUpHostsTests {
  @Test func `the worst hosts are named, equals by name, and the others counted`() {
    var hosts = GivenUpHosts()
    for (name, jobs) in [("f", 1), ("b", 7), ("a", 7), ("c", 9), ("d", 2), ("e", 3), ("g", 1)] {
      for _ in 0..<jobs { hosts.add(name) }
    }
    hosts.add("d", jobs: 4)
    hosts.add("h", jobs: 0)
    #expect(hosts.jobs == 34)
    #expect(hosts.worst.map(\.name) == ["c", "a", "b", "d", "e"])
    #expect(hosts.worst.map(\.jobs) == [9, 7, 7, 6, 3])
    #expect(hosts.others == 2)
  }

  @Test func `of very many hosts the worst are kept, and all jobs count`() {
    var hosts = GivenUpHosts()
    hosts.add("worst", jobs: 3)
    for number in 0..<10_000 { hosts.add("h\(number)") }
    hosts.add("bad", jobs: 2)
    #expect(hosts.jobs == 10_005)
    #expect(hosts.worst.map(\.name).prefix(2) == ["worst", "bad"])
    #expect(hosts.others == nil)
  }
}
