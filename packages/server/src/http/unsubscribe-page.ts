import { escapeHtml, htmlPage, plainPage } from './plain-page.ts'

/** Asks for confirmation, because virus scanners open links too. */
export function unsubscribePage(list: string | null): string {
  return htmlPage('Unsubscribe', [
    '<form method="post">',
    ...(list === null ? onlyChoice : choices(list)),
    '<p><button>Unsubscribe</button></p>',
    '</form>',
    '<p>Nothing changes until you press the button. You will still get emails about your own actions, such as receipts.</p>',
  ])
}

const onlyChoice = [
  '<p>Do you want to stop all mailings from this sender?</p>',
  '<input type="hidden" name="scope" value="all">',
]

function choices(list: string): string[] {
  return [
    '<fieldset>',
    '<legend>Which emails do you want to stop?</legend>',
    `<p><label><input type="radio" name="scope" value="list" checked> Mailings of the list “${escapeHtml(list)}”</label></p>`,
    '<p><label><input type="radio" name="scope" value="all"> All mailings from this sender</label></p>',
    '</fieldset>',
  ]
}

export function unsubscribedPage(list: string | null): string {
  const what = list === null ? 'mailings from this sender' : `mailings of the list “${list}”`
  return plainPage('You are unsubscribed', [
    `You will get no more ${what}.`,
    'If this was a mistake, ask the sender to undo it.',
  ])
}

/** Does not say why, so that forged and unknown links look the same. */
export function deadLinkPage(): string {
  return plainPage('This link does not work', [
    'The link may be incomplete. Open it from the email, or copy the whole link.',
    'If that does not help, reply to the email and ask the sender to unsubscribe you.',
  ])
}

export function misunderstoodPage(): string {
  return plainPage('The request was not understood', [
    'Nothing has changed. Open the link from the email and press the button on the page.',
    'Programs must post List-Unsubscribe=One-Click (RFC 8058).',
  ])
}
