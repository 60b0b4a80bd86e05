/** A page with a few sentences, without styles and scripts, if the dashboard cannot be shown. */
export function plainPage(title: string, sentences: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(title)}</title>`,
    '<main>',
    `<h1>${escapeHtml(title)}</h1>`,
    ...sentences.map(sentence => `<p>${escapeHtml(sentence)}</p>`),
    '</main>',
    '',
  ].join('\n')
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
