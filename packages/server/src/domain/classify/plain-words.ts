/**
 * Normalizes a reply for matching phrases: one line, lower case, without accents, addresses, hosts and links. A mailbox called
 * `spam@…` or a host called `relay.…` does not show the reason.
 */
export function plainWords(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/https?:\/\/\S*/g, ' ')
    .replace(/<[^<>\s]{0,320}@[^<>\s]{0,255}>|[^\s<>"'()[\],;:]{1,64}@[a-z0-9.-]{1,255}[a-z0-9]/g, ' @ ')
    .replace(/<?=\?[\w-]{1,32}\?[bq]\?\S{0,256}\?=/g, ' ')
    .replace(/\[[0-9a-f:.x#\s]{2,60}\](?::\d+)?|\b\d{1,3}(?:\.\d{1,3}){3}\b/g, ' ')
    .replace(/(?<![a-z0-9.-])(?:[a-z0-9_-]{1,63}\.){1,8}[a-z]{2,18}(?![a-z0-9-])(?!\.[a-z])/g, withoutHosts)
    .replace(/\b[245]\d\d(?:[ -]#?[245]\.\d{1,3}\.\d{1,3})?(?=[ -]|$)/g, ' ')
    .replace(/[’‘`]/g, "'")
    .replace(/[\s_]+/g, ' ')
    .trim()
}

/** Like `plainWords`, but keeps hosts and links, because they identify block lists. */
export function wordsWithHosts(text: string): string {
  return withoutAccents(text)
    .toLowerCase()
    .replace(/[^\s<>"'()[\],;:]{1,64}@[a-z0-9.-]{1,255}[a-z0-9]/g, ' @ ')
    .replace(/\s+/g, ' ')
}

/** Replaces accented Latin letters. */
export function withoutAccents(text: string): string {
  return text
    .normalize('NFD')
    .replace(/([a-z])[\u0300-\u036f]+/gi, '$1')
    .normalize('NFC')
}

/** Keeps `RESOLVER.ADR.RecipNotFound` and `does not exist.Please`, and removes `mx1.example.org`. */
function withoutHosts(token: string): string {
  if (/^(?:resolver|storedrv|queue|routing)\./.test(token)) return token.replaceAll('.', ' ')
  const isSentenceEnd = token.split('.').length === 2 && !topLevelDomain.test(token)
  return isSentenceEnd ? token : ' '
}

/** Country codes that are not English words, and other common domains. */
const topLevelDomain =
  /\.(?:com|net|org|edu|gov|mil|info|biz|dev|app|mail|email|cloud|online|test|example|invalid|local|localdomain|localhost|lan|arpa|(?!(?:it|is|in|if|to|we|no|so|at|be|by|my|me|us|do|or|as|an|am|he)$)[a-z]{2})$/
