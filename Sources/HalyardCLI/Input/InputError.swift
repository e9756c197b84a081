/// An input that cannot be read any further; jobs before the fault were delivered.
package struct InputError: Error, Hashable, Sendable {
  /// The file's path, or `standard input`.
  var source: String
  var problem: String

  init(_ source: String, _ problem: String) {
    self.source = source
    self.problem = problem
  }

  /// What goes to standard error, with its newline.
  var rendered: String { "halyard: \(Printable.text(source)): \(Printable.text(problem))\n" }
}
