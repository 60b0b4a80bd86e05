import type { Outside } from '../context.ts'
import type { RecordFinding } from '../domain/dns-answer.ts'
import { urlAtHost } from '../domain/url-at-host.ts'

/**
 * Whether links at a host whose record is right would fail, because nobody has added the host to the operator's TLS proxy.
 * Other failures do not count: they may concern only the way from here to the proxy.
 */
export async function checkLinkCertificate(
  { probe, publicUrl }: Pick<Outside, 'probe' | 'publicUrl'>,
  host: string,
  finding: RecordFinding,
): Promise<RecordFinding> {
  const url = urlAtHost(publicUrl(), host)
  if (!url.startsWith('https:')) return finding
  const { error } = await probe.head({ url: `${url}/u/`, headers: ['User-Agent', probe.userAgent] })
  if (error === null || !error.code.startsWith('tls_')) return finding
  const message = `The record is right, but the operator does not serve ${host} with a valid certificate yet, so links there would fail. Ask the operator to add it.`
  return { state: 'wrong', found: [], message }
}
