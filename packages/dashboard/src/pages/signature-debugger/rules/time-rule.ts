import { formatWhole } from '../../../format/times.ts'
import { headerFault } from './library-verdict.ts'
import { isMilliseconds, signedAtMs, timeText } from './signed-at.ts'
import type { Rule } from './rule.ts'

/** Rule 2: `t` is a number of seconds. */
export async function timeRule(header: string): Promise<Rule> {
  const text = timeText(header)
  if (text === undefined) return { number: 2, state: 'unknown', words: 't is digits' }
  if ((await headerFault(`t=${text},v1=${'0'.repeat(64)}`)) !== null) {
    return {
      number: 2,
      state: 'bad',
      words: `t is not digits: “${text.slice(0, 40)}”. It must be the seconds since 1970.`,
    }
  }
  const at = signedAtMs(text)
  const date = at === null ? 'out of range' : formatWhole(new Date(at).toISOString(), 'utc')
  return isMilliseconds(text)
    ? { number: 2, state: 'warning', words: `t is in milliseconds (${date}). We send seconds.` }
    : { number: 2, state: 'good', words: `t is digits (${date.replace(/\.000/, '')})` }
}
