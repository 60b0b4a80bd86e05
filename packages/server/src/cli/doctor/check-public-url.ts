import type { Config } from '../../config.ts'
import type { Check } from '../check.ts'

const answerMsMax = 5_000

/** Checks that the public URL leads to Posthorn. */
export async function checkPublicUrl({ publicUrl }: Config): Promise<Check> {
  const name = 'Public URL'
  if (publicUrl === null) {
    return {
      name,
      state: 'note',
      found: 'POSTHORN_PUBLIC_URL is not set',
      advice: 'Links in emails and portals work only on this machine: set it before customers use them',
    }
  }
  try {
    const response = await fetch(`${publicUrl}/healthz`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMsMax),
    })
    const text = (await response.text()).slice(0, 100)
    if (response.status === 200 && text.includes('"ok"')) return { name, state: 'ok', found: publicUrl }
    return {
      name,
      state: 'broken',
      found: `${publicUrl} answers ${response.status}, and the answer is not from Posthorn`,
      advice: 'Configure the proxy to forward all requests unchanged (see docs/run/tls-proxy.md)',
    }
  } catch (error) {
    return {
      name,
      state: 'broken',
      found: `${publicUrl} cannot be reached (${reasonOf(error)})`,
      advice:
        'Check that the service and the proxy are running, and check the certificate (see docs/run/tls-proxy.md)',
    }
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  if (!(cause instanceof Error)) return String(cause)
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message
}
