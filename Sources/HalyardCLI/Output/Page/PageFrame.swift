import LinkPreviews

/// What pages for people have in common: no scripts, one style, and nothing loaded but images.
enum PageFrame {
  /// A page as far as its first heading.
  ///
  /// - Parameter style: All of the page's rules.
  static func head(title: String, style: String) -> String {
    """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src http: https:; style-src 'unsafe-inline'">
    <title>\(Markup.escaped(title))</title>
    <style>
    \(style)
    </style>
    <h1>\(Markup.escaped(title))</h1>

    """
  }

  /// The rules that pages of a run's results have in common.
  static let common = """
    :root { color-scheme: light dark; --ink: #1c2733; --soft: #5b6b7b; --paper: #f6f7f9; --card: #fff; --line: #dde3ea }
    @media (prefers-color-scheme: dark) {
      :root { --ink: #e6ebf0; --soft: #9aa8b6; --paper: #14191f; --card: #1d242c; --line: #2c3641 }
    }
    body { margin: 0 auto; max-width: 72rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
      font: 1rem/1.45 system-ui, sans-serif }
    h1 { font-size: 1.6rem; margin: 0 0 1.5rem }
    """
}
