/** A page of a few sentences, for when the dashboard itself cannot be shown. */
export function plainPage(title: string, sentences: readonly string[]): string {
  return htmlPage(
    title,
    sentences.map(sentence => `<p>${escapeHtml(sentence)}</p>`),
  )
}

/** A page without style and script under one heading. What stands in `lines` is HTML already. */
export function htmlPage(title: string, lines: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    '<main>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...lines,
    '</main>',
    '',
  ].join('\n')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
