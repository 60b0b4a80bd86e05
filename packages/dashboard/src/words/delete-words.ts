import { countOf, formatCount } from '../format/numbers.ts'

/** What the deletion of an endpoint destroys. The first sentence names the waiting events; null if none wait. */
export function deleteWords(waiting: number, retentionDays: number): { lost: string | null; rest: string } {
  const lost =
    waiting === 0 ? null : `${countOf(waiting, 'waiting event', 'waiting events')} will never be sent`
  const secrets = 'its secrets are erased, and it no longer counts toward the limit.'
  return {
    lost,
    rest: `${lost === null ? `I${secrets.slice(1)}` : `, ${secrets}`} History stays for ${formatCount(retentionDays)} days. To stop for a while, disable it.`,
  }
}
