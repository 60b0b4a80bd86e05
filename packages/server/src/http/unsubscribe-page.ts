import type { Branding } from '@posthorn/contract'
import { halfHiddenAddress } from '../domain/half-hidden-address.ts'
import { escapeHtml } from './plain-page.ts'
import { unsubscribeStyle } from './unsubscribe-style.ts'
import { type UnsubscribeLanguage, type UnsubscribeWords, unsubscribeWords } from './unsubscribe-words.ts'

/** A page for the recipient of an email. */
export interface UnsubscribePage {
  readonly language: UnsubscribeLanguage
  readonly html: string
  /** The text of its style element. */
  readonly style: string
}

/** The sender and the recipient of the email. */
export interface UnsubscribeParties {
  readonly sender: Branding
  /** Null if it was erased, because the page then must not show it. */
  readonly address: string | null
  /** The list of the email; null if it belongs to none. */
  readonly list: string | null
}

/** Asks for confirmation, because virus scanners open links too. */
export function questionPage(language: UnsubscribeLanguage, parties: UnsubscribeParties): UnsubscribePage {
  const words = unsubscribeWords[language]
  const { list } = parties
  return pageOf(language, parties, words.unsubscribe, [
    ...(list === null ? [paragraph(words.stopAllOfSender)] : []),
    '<form method="post">',
    ...(list === null ? ['<input type="hidden" name="scope" value="all">'] : choices(words, list)),
    `<button>${escapeHtml(words.unsubscribe)}</button>`,
    '</form>',
    paragraph(`${words.nothingYet} ${words.stillReceipts}`, 'note'),
  ])
}

function choices(words: UnsubscribeWords, list: string): string[] {
  return [
    '<fieldset>',
    `<legend>${escapeHtml(words.whichEmails)}</legend>`,
    `<label><input type="radio" name="scope" value="list" checked> <span>${withList(words.ofList, list)}</span></label>`,
    `<label><input type="radio" name="scope" value="all"> <span>${escapeHtml(words.ofSender)}</span></label>`,
    '</fieldset>',
  ]
}

/** @param undo the ids of the suppressions that the recipient may lift */
export function unsubscribedPage(
  language: UnsubscribeLanguage,
  parties: UnsubscribeParties,
  { isOfAll, undo }: { readonly isOfAll: boolean; readonly undo: readonly string[] },
): UnsubscribePage {
  const words = unsubscribeWords[language]
  const list = isOfAll ? null : parties.list
  return pageOf(language, parties, words.done, [
    list === null ? paragraph(words.doneOfSender) : `<p>${withList(words.doneOfList, list)}</p>`,
    paragraph(words.stillReceipts, 'note'),
    ...(undo.length === 0 ? [paragraph(words.askSender, 'note')] : undoForm(words, undo)),
    ...(list === null ? [] : stopAllForm(words)),
  ])
}

function undoForm(words: UnsubscribeWords, undo: readonly string[]): string[] {
  return [
    '<form method="post">',
    `<p id="mistake" class="note">${escapeHtml(words.mistake)}</p>`,
    ...undo.map(id => `<input type="hidden" name="undo" value="${escapeHtml(id)}">`),
    `<button class="quiet" aria-describedby="mistake">${escapeHtml(words.undo)}</button>`,
    '</form>',
  ]
}

function stopAllForm(words: UnsubscribeWords): string[] {
  return [
    '<form method="post">',
    '<input type="hidden" name="scope" value="all">',
    `<button class="quiet">${escapeHtml(words.alsoStopAll)}</button>`,
    '</form>',
  ]
}

/** Says that the unsubscription is undone. */
export function undonePage(language: UnsubscribeLanguage, parties: UnsubscribeParties): UnsubscribePage {
  const { undone, undoneMeans } = unsubscribeWords[language]
  return pageOf(language, parties, undone, [paragraph(undoneMeans)])
}

/** Does not say why, so that forged and unknown links look the same. */
export function deadLinkPage(language: UnsubscribeLanguage): UnsubscribePage {
  const { deadLink, deadLinkAdvice, deadLinkLastResort } = unsubscribeWords[language]
  return pageOf(language, null, deadLink, [paragraph(deadLinkAdvice), paragraph(deadLinkLastResort)])
}

/** The last sentence is for programmers. */
export function misunderstoodPage(language: UnsubscribeLanguage): UnsubscribePage {
  const { misunderstood, misunderstoodAdvice } = unsubscribeWords[language]
  return pageOf(language, null, misunderstood, [
    paragraph(misunderstoodAdvice),
    '<p class="note" lang="en">Programs must post List-Unsubscribe=One-Click (RFC 8058).</p>',
  ])
}

function pageOf(
  language: UnsubscribeLanguage,
  parties: UnsubscribeParties | null,
  title: string,
  lines: readonly string[],
): UnsubscribePage {
  const style = unsubscribeStyle(parties?.sender.color ?? null)
  const html = [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${style}</style>`,
    '<main>',
    ...(parties === null ? [] : headerOf(parties)),
    `<h1>${escapeHtml(title)}</h1>`,
    ...lines,
    '</main>',
    '',
  ].join('\n')
  return { language, html, style }
}

/** `bdi` keeps names and addresses in another direction from changing the order of what is around them. */
function headerOf({ sender, address }: UnsubscribeParties): string[] {
  const { name, logo } = sender
  const about = [
    ...(name === null ? [] : [`<bdi class="sender">${escapeHtml(name)}</bdi>`]),
    ...(address === null ? [] : [`<bdi class="address">${escapeHtml(halfHiddenAddress(address))}</bdi>`]),
  ]
  if (logo === null && about.length === 0) return []
  return [
    '<header>',
    // the name is next to it
    ...(logo === null ? [] : [`<img src="data:${logo.media_type};base64,${logo.data}" alt="">`]),
    ...(about.length === 0 ? [] : [`<p>${about.join('<br>')}</p>`]),
    '</header>',
  ]
}

function paragraph(text: string, look?: 'note'): string {
  return `<p${look === undefined ? '' : ` class="${look}"`}>${escapeHtml(text)}</p>`
}

function withList(text: string, list: string): string {
  return escapeHtml(text).replace('{list}', () => `<bdi>${escapeHtml(list)}</bdi>`)
}
