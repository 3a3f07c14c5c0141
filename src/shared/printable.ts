/**
 * Texts from files, as a terminal and the window may show them. A file's name can hold what a terminal obeys (escape sequences), what turns the
 * text around (bidirectional controls: `gpj.exe` reads `exe.jpg`), and what cannot be seen at all. Those are written as `\u202e`, which is what they
 * are in JSON too; letters of every script stay.
 */

// C0 and C1 controls and DEL; marks, embeddings, overrides and isolates of direction; zero width and other unseen format characters; separators of
// lines and paragraphs; byte order mark; interlinear annotation; tags; halves of pairs that have lost the other
const ODD =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** The text with every character written out that does not show as itself. Applied twice it changes nothing more. */
export function printable(text: string): string {
  return text.replace(ODD, escape)
}

/** Lines of text, each printable: for whole pages, whose lines and tabs are their own. */
export function printableLines(text: string): string {
  return text.replace(ODD, (found) => (found === '\n' || found === '\t' ? found : escape(found)))
}

/** Whether a text has characters that do not show as themselves. */
export function hasUnprintable(text: string): boolean {
  return text.search(ODD) >= 0
}

/** For what a template shows: texts printable, whose lines are the template's own, everything else as it is. */
export function printableValue(value: unknown): unknown {
  return typeof value === 'string' ? printableLines(value) : value
}

function escape(found: string): string {
  let out = ''
  for (let i = 0; i < found.length; i++) out += `\\u${found.charCodeAt(i).toString(16).padStart(4, '0')}`
  return out
}
