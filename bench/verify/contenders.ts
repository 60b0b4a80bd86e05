import { createHmac } from 'node:crypto'
import { createVerifier } from '@posthorn/receiver'
import { verifySync } from '@posthorn/receiver/node'
import { Webhook } from 'standardwebhooks'
import type { Contender } from './measure.ts'
import { openStripe } from './stripe.ts'

/** The same request for all libraries, signed with the last of the secrets. */
export function contenders(bodyBytes: number, secretCount: number): Contender[] {
  const body = Buffer.from(JSON.stringify({ id: 'evt_1', type: 'email.delivered', data: { pad: '' } }))
  const padded = Buffer.concat([
    body.subarray(0, -3),
    Buffer.alloc(bodyBytes - body.length, 'x'),
    body.subarray(-3),
  ])
  const secrets = Array.from({ length: secretCount }, (_, i) => `whsec_${String(i).padStart(43, '0')}`)
  const t = Math.floor(Date.now() / 1000)
  const mac = (secret: string) => createHmac('sha256', secret).update(`${t}.`).update(padded).digest('hex')
  const header = `t=${t},v1=${mac(secrets.at(-1) ?? '')}`
  const verifier = createVerifier({ secrets, toleranceSeconds: 3600 })
  const options = { secrets, toleranceSeconds: 3600 }

  const keys = secrets.map(secret => Buffer.from(secret).toString('base64'))
  const stripe = openStripe()
  const webhooks = keys.map(key => new Webhook(key))
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(t),
    'webhook-signature': new Webhook(keys.at(-1) ?? '').sign('evt_1', new Date(t * 1000), padded.toString()),
  }
  // The other libraries accept only one secret, so try the secrets one after the other.
  const firstThatFits = (count: number, attempt: (i: number) => unknown) => {
    for (let i = 0; i < count; i++) {
      try {
        return attempt(i)
      } catch {
        continue
      }
    }
    throw new Error('none fits')
  }

  return [
    { name: 'bare HMAC', once: () => secrets.map(mac) },
    { name: 'verifySync', once: () => verifySync(padded, header, options) },
    { name: 'verify (Web Crypto)', once: () => verifier.verify(padded, header) },
    {
      name: 'stripe',
      once: () =>
        firstThatFits(secretCount, i =>
          stripe.webhooks.signature?.verifyHeader(padded, header, secrets[i] ?? '', 3600),
        ),
    },
    {
      name: 'standardwebhooks',
      once: () => firstThatFits(secretCount, i => webhooks[i]?.verify(padded, headers)),
    },
  ]
}
