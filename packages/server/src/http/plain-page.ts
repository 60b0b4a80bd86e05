/** A page with a few sentences, if the dashboard cannot be shown. */
export function plainPage(title: string, sentences: readonly string[]): string {
  return htmlPage(
    title,
    sentences.map(sentence => `<p>${escapeHtml(sentence)}</p>`),
  )
}

/** A page with a heading, without styles and scripts. `lines` must be HTML. */
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
