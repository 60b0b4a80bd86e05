import type { PeerCertificate } from 'node:tls'
import type { Certificate } from './egress.ts'

const nameLengthMax = 200

/** What of a server's certificate is told; null when it showed none. */
export function certificateFacts({ valid_to, issuer }: Partial<PeerCertificate>): Certificate | null {
  const validUntilMs = valid_to === undefined ? Number.NaN : Date.parse(valid_to)
  if (Number.isNaN(validUntilMs)) return null
  // a name can stand in it several times: then Node makes a list of it, whatever its types say
  const name: unknown = [issuer?.O, issuer?.CN].flat().find(one => one !== undefined && one !== '')
  return { validUntilMs, issuer: typeof name === 'string' ? name.slice(0, nameLengthMax) : null }
}
