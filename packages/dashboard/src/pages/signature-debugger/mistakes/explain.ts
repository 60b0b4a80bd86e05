import { bodyHint } from './body-hint.ts'
import type { Explanation } from './explanation.ts'
import type { FoundMistakes } from './find-mistake.ts'
import type { SecretOwner } from './secret-owner.ts'

export interface Evidence {
  readonly found: FoundMistakes | null
  /** Of each secret, where it could be told. */
  readonly owners: readonly SecretOwner[]
  readonly body: Uint8Array
  /** Header and body are those of a delivery, untouched. */
  readonly isAsSent: boolean
}

/** Why no signature matches: what is proven first, then what is likely. */
export function explain({ found, owners, body, isAsSent }: Evidence): Explanation {
  if (found !== null) {
    const was = found.map(mistake => mistake.was).join(', and ')
    const fits = found.map(mistake => mistake.fits).join(' and ')
    // who made the header can do nothing about a body that others changed
    const mender = found.find(mistake => mistake.mender === 'body')?.mender ?? found[0]?.mender ?? null
    return { sentence: `Why 4 fails: ${was}. The signature matches ${fits}.`, mender }
  }
  const fault = owners.length > 0 && owners.every(owner => owner.fault !== null) ? owners[0]?.fault : null
  if (fault !== null && fault !== undefined) {
    return { sentence: `Why 4 fails: ${fault}.`, mender: 'secret' }
  }
  if (isAsSent) {
    return {
      sentence: 'Header and body are as we sent them, so it is the secret: another one signed this.',
      mender: 'secret',
    }
  }
  return bodyHint(body) ?? { sentence: unexplained, mender: null }
}

const unexplained =
  'None of the usual mistakes explains it. Either the secret or the body is not the one that was signed. Compare the length of the body with the Content-Length your server saw.'
