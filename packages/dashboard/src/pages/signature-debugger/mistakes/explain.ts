import { bodyHint } from './body-hint.ts'
import type { Explanation } from './explanation.ts'
import type { FoundMistakes } from './find-mistake.ts'
import type { SecretOwner } from './secret-owner.ts'

export interface Evidence {
  readonly found: FoundMistakes | null
  /** What we know about each secret. */
  readonly owners: readonly SecretOwner[]
  readonly body: Uint8Array
  /** Header and body are those of a delivery, unchanged. */
  readonly isAsSent: boolean
}

/** Why no signature matches: proven mistakes first, then likely ones. */
export function explain({ found, owners, body, isAsSent }: Evidence): Explanation {
  if (found !== null) {
    const was = found.map(mistake => mistake.was).join(', and ')
    const fits = found.map(mistake => mistake.fits).join(' and ')
    // a body that others changed is not a mistake of the header's code
    const mender = found.find(mistake => mistake.mender === 'body')?.mender ?? found[0]?.mender ?? null
    return { sentence: `Why 4 fails: ${was}. The signature matches ${fits}.`, mender }
  }
  const fault = owners.length > 0 && owners.every(owner => owner.fault !== null) ? owners[0]?.fault : null
  if (fault !== null && fault !== undefined) {
    return { sentence: `Why 4 fails: ${fault}.`, mender: 'secret' }
  }
  if (isAsSent) {
    return {
      sentence: 'Header and body are as we sent them, so the secret is wrong: another secret signed this.',
      mender: 'secret',
    }
  }
  return bodyHint(body) ?? { sentence: unexplained, mender: null }
}

const unexplained =
  'No common mistake explains it. Either the secret or the body is not the one that was signed. Compare the length of the body with the Content-Length that your server received.'
