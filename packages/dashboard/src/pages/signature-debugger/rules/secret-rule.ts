import { secretsFault } from './library-verdict.ts'
import type { Rule } from './rule.ts'

const promise = 'Secret is whole: whsec_ and 44 characters'

/** Rule 3. `isProven`: one of them created a signature, so it is a secret whatever it looks like. */
export function secretRule(secrets: readonly string[], isProven: boolean): Rule {
  if (secrets.length === 0) return { number: 3, state: 'unknown', words: promise }
  if (secretsFault(secrets) === 'secrets_too_many') {
    return { number: 3, state: 'bad', words: 'A receiver takes at most ten secrets.' }
  }
  for (const [place, secret] of secrets.entries()) {
    const isOld = /^whsec_[0-9A-Za-z]{43}$/.test(secret)
    if (isOld && isProven) continue
    const fault = isOld
      ? 'has 43 characters after whsec_, not 44: it is old, or the last is missing.'
      : secretWords(secret)
    if (fault === null) continue
    const which = secrets.length === 1 ? 'Secret' : `Secret ${place + 1}`
    const state = isOld || (isProven && secretsFault([secret]) === null) ? 'warning' : 'bad'
    return { number: 3, state, words: `${which} ${fault}` }
  }
  return { number: 3, state: 'good', words: promise }
}

/** What is wrong with the form of a secret, as the rest of a sentence; null: nothing. */
function secretWords(secret: string): string | null {
  if (/^whsec_[0-9A-Za-z]{44}$/.test(secret)) return null
  if (secret.startsWith('phk_')) return 'is an API key. The signing secret starts with whsec_.'
  if (secret.startsWith('pha_')) return 'is an operator token. The signing secret starts with whsec_.'
  if (/^whsec_.{0,4}$/.test(secret) || /^whsec_\S{4}…$/.test(secret)) {
    return 'is only the prefix that we show. The whole secret has 44 characters after whsec_.'
  }
  if (/\s/.test(secret)) return 'contains a space or a line break.'
  if (/^["'].*["']$/.test(secret)) return 'has quotes around it.'
  if (!secret.startsWith('whsec_')) return 'does not start with whsec_.'
  const stranger = /[^0-9A-Za-z]/.exec(secret.slice(6))?.[0]
  if (stranger !== undefined) return `contains “${stranger}”. Only letters and digits follow whsec_.`
  const length = secret.length - 6
  return `has ${length} characters after whsec_, not 44: ${length < 44 ? 'a part is missing.' : 'some are too many.'}`
}
