import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { ProviderKind } from '@posthorn/contract'
import type { Webhook } from './provider-app.ts'
import { postalEvent, postalHeaders, postalKey, postalPem } from './samples/postal.ts'
import {
  postmarkBounce,
  postmarkDelivery,
  postmarkEvent,
  postmarkHeaders,
  postmarkKey,
} from './samples/postmark.ts'
import { resendEvent, resendHeaders, resendKey } from './samples/resend.ts'
import { sendgridEvent, sendgridHeaders, sendgridKey } from './samples/sendgrid.ts'

/** How a provider signs. `id` is the id of the event if a header contains it. */
type Sign = (body: Buffer, at: { nowMs: number; isForged: boolean; id: string }) => Record<string, string>

export interface ProviderCase {
  readonly kind: ProviderKind
  readonly key: string
  readonly otherKeys: readonly string[]
  readonly wrongKeys: readonly string[]
  readonly sign: Sign
  readonly delivery: (emailId: string) => object
  readonly bounce: (emailId: string) => object
  readonly open: object
  /** Events that contain this text in each field that Posthorn reads. */
  readonly texts: (text: string) => object[]
  /** The body of one event. */
  readonly wrap: (event: unknown) => unknown
  /** How old a signature may be; null if it contains no time. */
  readonly ageMsMax: number | null
  /** Whether the signature covers the body. */
  readonly isBodySigned: boolean
}

const otherPublicKey = (type: 'ec' | 'rsa'): string => {
  const { publicKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2_048 })
  return publicKey.export({ format: 'pem', type: 'spki' }).toString()
}

const unknownUser = '550 5.1.1 <ann@example.org>: User unknown'
export const minuteMs = 60_000
const itself = (event: unknown): unknown => event

export const providerCases: ProviderCase[] = [
  {
    kind: 'sendgrid',
    key: sendgridKey,
    otherKeys: [],
    wrongKeys: ['SG.not-the-verification-key', otherPublicKey('rsa'), postalKey],
    sign: (body, { nowMs, isForged }) => sendgridHeaders(body, nowMs, isForged),
    delivery: id => sendgridEvent('delivered', { posthorn_email_id: id, response: '250 2.0.0 OK' }),
    bounce: id => sendgridEvent('bounce', { posthorn_email_id: id, reason: unknownUser, status: '5.1.1' }),
    open: sendgridEvent('open'),
    texts: text =>
      ['reason', 'email', 'smtp-id', 'sg_message_id', 'sg_event_id', 'posthorn_email_id'].map(name =>
        sendgridEvent('bounce', { [name]: text }),
      ),
    wrap: event => [event],
    ageMsMax: 25 * 60 * minuteMs,
    isBodySigned: true,
  },
  {
    kind: 'postmark',
    key: postmarkKey,
    otherKeys: [],
    wrongKeys: ['password', ':password-without-user', 'user:', 'user:short'],
    sign: (_body, { isForged }) => postmarkHeaders(isForged ? 'posthorn:another password' : postmarkKey),
    delivery: id =>
      postmarkEvent('Delivery', {
        ...postmarkDelivery,
        MessageID: randomUUID(),
        Metadata: { posthorn_email_id: id },
      }),
    bounce: id => postmarkBounce('HardBounce', { Metadata: { posthorn_email_id: id } }),
    open: postmarkEvent('Open'),
    texts: text => [
      ...['Details', 'Email', 'MessageID', 'ID', 'BouncedAt'].map(name =>
        postmarkBounce('HardBounce', { [name]: text }),
      ),
      postmarkBounce('HardBounce', { Details: '', Description: text }),
    ],
    wrap: itself,
    ageMsMax: null,
    isBodySigned: false,
  },
  {
    kind: 'postal',
    key: postalKey,
    otherKeys: [postalPem],
    wrongKeys: ['v=DKIM1; p=', otherPublicKey('ec'), sendgridKey],
    sign: (body, { isForged }) => postalHeaders(body, isForged),
    delivery: id =>
      postalEvent('MessageSent', { output: '250 2.0.0 OK' }, { tag: `posthorn_email_id=${id}` }),
    bounce: id =>
      postalEvent('MessageDeliveryFailed', { output: unknownUser }, { tag: `posthorn_email_id=${id}` }),
    open: postalEvent('MessageLoaded'),
    texts: text => [
      ...['output', 'details'].map(name => postalEvent('MessageDeliveryFailed', { [name]: text })),
      ...['to', 'tag', 'message_id'].map(name => postalEvent('MessageDeliveryFailed', {}, { [name]: text })),
      postalEvent('MessageHeld', { details: text }),
    ],
    wrap: itself,
    ageMsMax: null,
    isBodySigned: true,
  },
  {
    kind: 'resend',
    key: resendKey,
    otherKeys: [],
    wrongKeys: ['whsec_', 're_not_the_signing_secret', 'whsec_with space'],
    sign: (body, { nowMs, isForged, id }) => resendHeaders(body, nowMs, { isForged, id }),
    delivery: id => resendEvent('email.delivered', { tags: { posthorn_email_id: id } }),
    bounce: id =>
      resendEvent('email.bounced', {
        tags: { posthorn_email_id: id },
        bounce: {
          type: 'Permanent',
          subType: 'General',
          message: 'It bounced.',
          diagnosticCode: [`smtp; ${unknownUser}`],
        },
      }),
    open: resendEvent('email.opened'),
    texts: text => [
      ...['message', 'diagnosticCode', 'subType'].map(name =>
        resendEvent('email.bounced', { bounce: { type: 'Permanent', [name]: text } }),
      ),
      ...['message_id', 'email_id'].map(name => resendEvent('email.delivered', { tags: {}, [name]: text })),
      resendEvent('email.delivered', { to: [text] }),
    ],
    wrap: itself,
    ageMsMax: 5 * minuteMs,
    isBodySigned: true,
  },
]

export function caseOf(kind: ProviderKind): ProviderCase {
  const found = providerCases.find(one => one.kind === kind)
  if (found === undefined) throw new Error(`no case of ${kind}`)
  return found
}

export const newId = (): string => `order-${randomBytes(6).toString('hex')}`

export function webhookOf(
  { sign }: ProviderCase,
  body: Buffer,
  given: Partial<Parameters<Sign>[1]> = {},
): Webhook {
  const at = { nowMs: Date.now(), isForged: false, id: `msg_${newId()}`, ...given }
  return { headers: { 'content-type': 'application/json', ...sign(body, at) }, payload: body }
}

export function bodyOf({ wrap }: ProviderCase, event: unknown): Buffer {
  return Buffer.from(JSON.stringify(wrap(event)) ?? '')
}

export function signed(
  provider: ProviderCase,
  event: unknown,
  given: Partial<Parameters<Sign>[1]> = {},
): Webhook {
  return webhookOf(provider, bodyOf(provider, event), given)
}
