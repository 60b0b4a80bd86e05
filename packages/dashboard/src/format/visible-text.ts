// oxlint-disable-next-line no-control-regex -- control characters are what this replaces
const unseen = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/**
 * Text from others with invisible characters shown, as `⟨U+202E⟩`, so that it cannot reorder or hide what a reader
 * sees. Line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(
      unseen,
      found => `⟨U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    )
}
