/// Which of the children of a kind start or end so that there are as many as wanted. A pure value.
package struct ScaleRule: Hashable, Sendable {
  package private(set) var starting: [Int] = []
  package private(set) var ending: [Int] = []

  /// - Parameters:
  ///   - staying: The numbers of those that run and are not to end.
  ///   - leaving: Of those that end already; a new one does not get such a number.
  package init(to count: Int, staying: Set<Int>, leaving: Set<Int>) {
    ending = Array(staying.sorted().dropFirst(count))
    var number = 1
    while starting.count < count - staying.count {
      if !staying.contains(number), !leaving.contains(number) { starting.append(number) }
      number += 1
    }
  }
}
