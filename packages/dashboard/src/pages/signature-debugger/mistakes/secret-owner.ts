import { endpointName } from '../../../words/endpoint-name.ts'
import { type KnownKey, keysThatBegin } from './known-key.ts'

/** What the start of a secret says about it. */
export interface SecretOwner {
  readonly words: string
  /** Why it cannot have created the signature; null if it can. As the rest of `Why 4 fails: `. */
  readonly fault: string | null
}

export interface OwnerQuestion {
  readonly secret: string
  readonly known: readonly KnownKey[]
  /** The endpoint that the request was for; null: unknown. */
  readonly webhookId: string | null
  /** When the request was signed; null: unknown. */
  readonly signedAtMs: number | null
  readonly day: (iso: string) => string
}

/** The owner of a secret by its first characters; null if there are too few. */
export function secretOwner(question: OwnerQuestion): SecretOwner | null {
  const { secret, known, webhookId } = question
  if (secret.replace(/^whsec_/, '').length < 4) return null
  const matches = keysThatBegin(secret, known)
  const owner = matches.find(one => one.webhook.id === webhookId) ?? matches[0]
  if (owner === undefined) {
    const beginning = secret.startsWith('whsec_')
      ? ` starts with ${secret.slice(0, 10)}`
      : ' starts like this'
    return {
      words: `No endpoint of this account has a secret that${beginning}.`,
      fault: 'no endpoint of this account has this secret',
    }
  }
  return { words: ownerWords(owner, question), fault: ownerFault(owner, question) }
}

function ownerWords({ webhook, key }: KnownKey, { webhookId, day }: OwnerQuestion): string {
  const name = endpointName(webhook)
  const of = webhookId === null || webhook.id === webhookId ? `of ${name}` : `of another endpoint: ${name}`
  switch (key.state) {
    case 'primary':
      return `This is the primary secret ${of}.`
    case 'staged':
      return `This is the replacement ${of}; it signs as ${key.signature_name}.`
    case 'retired':
      return `This is a secret ${of} that stopped signing on ${day(key.retired_at ?? key.created_at)}.`
  }
}

function ownerFault(
  { webhook, key }: KnownKey,
  { webhookId, signedAtMs, day }: OwnerQuestion,
): string | null {
  if (webhookId !== null && webhook.id !== webhookId) {
    return `the secret is of another endpoint, ${endpointName(webhook)}`
  }
  if (signedAtMs === null) return null
  // t is in whole seconds, so within the second of creation the order is unknown
  if (signedAtMs + 1000 <= Date.parse(key.created_at)) {
    return `the secret was created on ${day(key.created_at)}, after this was signed`
  }
  return key.retired_at !== null && Date.parse(key.retired_at) < signedAtMs
    ? `the secret was retired on ${day(key.retired_at)}, before this was signed`
    : null
}
