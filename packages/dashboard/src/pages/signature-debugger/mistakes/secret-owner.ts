import { endpointName, type KnownKey, keysThatBegin } from './known-key.ts'

/** What the beginning of a secret tells of it. */
export interface SecretOwner {
  readonly words: string
  /** Why it cannot have made the signature; null when it may have. As the rest of `Why 4 fails: `. */
  readonly fault: string | null
}

export interface OwnerQuestion {
  readonly secret: string
  readonly known: readonly KnownKey[]
  /** The endpoint to which the request went; null when that is not known. */
  readonly webhookId: string | null
  /** When the request was signed; null when that is not known. */
  readonly signedAtMs: number | null
  readonly day: (iso: string) => string
}

/** Whose secret it is, by its first characters; null when it is too short to tell. */
export function secretOwner(question: OwnerQuestion): SecretOwner | null {
  const { secret, known, webhookId } = question
  if (secret.replace(/^whsec_/, '').length < 4) return null
  const matches = keysThatBegin(secret, known)
  const owner = matches.find(one => one.webhook.id === webhookId) ?? matches[0]
  if (owner === undefined) {
    const beginning = secret.startsWith('whsec_')
      ? ` begins with ${secret.slice(0, 10)}`
      : ' begins like this'
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
      return `This is a secret ${of} that signs no more since ${day(key.retired_at ?? key.created_at)}.`
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
  // t is in whole seconds: the one in which the key was made may be either
  if (signedAtMs + 1000 <= Date.parse(key.created_at)) {
    return `the secret was made on ${day(key.created_at)}, after this was signed`
  }
  return key.retired_at !== null && Date.parse(key.retired_at) < signedAtMs
    ? `the secret was retired on ${day(key.retired_at)}, before this was signed`
    : null
}
