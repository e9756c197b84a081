/// A manual page, put together from blocks.
struct ManPage {
  let name: String
  let section: Int
  private var lines: [String]

  /// - Parameter date: Such as `2026-11-22`; nil for a page that tells none.
  init(_ name: String, section: Int, summary: String, date: String?) {
    (self.name, self.section) = (name, section)
    lines = [
      #".TH "\#(Roff.text(name.uppercased()))" \#(section) "\#(Roff.text(date ?? ""))""#
        + #" "halyard \#(Roff.text(halyardVersion))" "Halyard""#,
      ".SH NAME", "\(Roff.text(name)) \\- \(Roff.text(summary))",
    ]
  }

  var fileName: String { "\(name).\(section)" }

  var rendered: String { lines.joined(separator: "\n") + "\n" }

  mutating func heading(_ text: String) { lines.append(".SH \(Roff.text(text))") }

  mutating func subheading(_ text: String) { lines.append(".SS \(Roff.text(text))") }

  /// - Parameter roff: Text that `Roff` made.
  mutating func paragraph(_ roff: String) { lines += [".PP", Roff.line(roff)] }

  /// A term, and what it is, beside or below it; both made by `Roff`.
  mutating func item(_ term: String, _ text: String) {
    lines += [".TP", Roff.line(term), Roff.line(text)]
  }

  /// Lines as they are, indented.
  mutating func example(_ text: [String]) {
    lines +=
      [".PP", ".RS 4", ".nf"] + text.map { $0.isEmpty ? "\\&" : Roff.line(Roff.text($0)) } + [".fi", ".RE"]
  }

  mutating func seeAlso(_ pages: [(name: String, section: Int)]) {
    heading("SEE ALSO")
    let links = pages.map { "\(Roff.bold($0.name))(\($0.section))" }
    lines.append(links.joined(separator: ", "))
  }
}
