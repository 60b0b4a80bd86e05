import { WebhookUsageError } from './errors.ts'

const HINT = 'use whsec_… as issued: no quotes, name or secret_prefix'

/**
 * Refuses, when the verifier is made, every secret that could only have come from a mistake. An empty one is
 * the worst: anybody can sign with it.
 */
export function checkSecrets(secrets: unknown): string[] {
  const list: unknown[] = [secrets].flat()
  if (list.length === 0) throw new WebhookUsageError('secret_missing')
  if (list.length > 10) throw new WebhookUsageError('secrets_too_many')
  if (list.some(secret => secret === '' || secret === 'whsec_')) throw new WebhookUsageError('secret_empty')
  return list.map(checkSecret)
}

function checkSecret(secret: unknown): string {
  if (typeof secret !== 'string') throw new WebhookUsageError('secret_missing')
  if (/\s/.test(secret)) throw new WebhookUsageError('secret_whitespace', HINT)
  // Something in front of `whsec_` or nothing but the rest, a character that no secret has, another credential, an id.
  if (/.whsec_|[^\w+/=-]|^(ph[ak]|whk?)_|^[^_]{43}$/.test(secret)) {
    throw new WebhookUsageError('secret_wrong_kind', HINT)
  }
  // `secret_prefix`, which the API shows, is 10 characters long: pasting it must not pass.
  if (secret.length < 24) throw new WebhookUsageError('secret_too_short', HINT)
  return secret
}
