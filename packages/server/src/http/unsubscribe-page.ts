import { escapeHtml, htmlPage, plainPage } from './plain-page.ts'

/** Asks whether to unsubscribe. It does nothing by itself: programs that look at links for viruses open it too. */
export function unsubscribePage(list: string | null): string {
  return htmlPage('Unsubscribe', [
    '<form method="post">',
    ...(list === null ? onlyChoice : choices(list)),
    '<p><button>Unsubscribe</button></p>',
    '</form>',
    '<p>Nothing changes before you press the button. Mail that answers what you do yourself, such as a receipt, is still sent.</p>',
  ])
}

const onlyChoice = [
  '<p>Do you want no more mailings from this sender?</p>',
  '<input type="hidden" name="scope" value="all">',
]

function choices(list: string): string[] {
  return [
    '<fieldset>',
    '<legend>What do you want no more of?</legend>',
    `<p><label><input type="radio" name="scope" value="list" checked> Mailings of the list “${escapeHtml(list)}”</label></p>`,
    '<p><label><input type="radio" name="scope" value="all"> All mailings from this sender</label></p>',
    '</fieldset>',
  ]
}

export function unsubscribedPage(list: string | null): string {
  const what = list === null ? 'mailings from this sender' : `mailings of the list “${list}”`
  return plainPage('You are unsubscribed', [
    `You get no more ${what}.`,
    'If that was a mistake, write to the sender, who can undo it.',
  ])
}

/** Forged, mistyped or of a sender who is gone: which of them, it does not say. */
export function deadLinkPage(): string {
  return plainPage('This link does not work', [
    'Perhaps it was cut off on its way. Open it from the mail itself, or copy it whole.',
    'If that does not help, answer the mail and ask its sender to send you no more.',
  ])
}

export function misunderstoodPage(): string {
  return plainPage('That was not understood', [
    'Nothing was changed. Open the link from the mail and press the button on the page.',
    'Programs post List-Unsubscribe=One-Click, as RFC 8058 says.',
  ])
}
