import { WebhookUsageError } from './errors.ts'

const SECRETS_MAX = 10
// `secret_prefix`, which the API shows, is 10 characters long: pasting it must not pass.
const SECRET_CHARACTERS_MIN = 24

/**
 * Refuses, when the verifier is made, every secret that could only have come from a mistake. An empty one is
 * the worst: anybody can sign with it.
 */
export function checkSecrets(secrets: unknown): string[] {
  const list: unknown[] = Array.isArray(secrets) ? secrets : [secrets]
  if (list.length === 0) throw new WebhookUsageError('secret_missing')
  if (list.length > SECRETS_MAX) throw new WebhookUsageError('secrets_too_many')
  if (list.some(secret => secret === '' || secret === 'whsec_')) throw new WebhookUsageError('secret_empty')
  return list.map(checkSecret)
}

function checkSecret(secret: unknown): string {
  if (typeof secret !== 'string') {
    throw new WebhookUsageError('secret_missing')
  }
  if (/\s/.test(secret)) throw new WebhookUsageError('secret_whitespace')
  if (/^ph[ak]_/.test(secret)) {
    throw new WebhookUsageError('secret_wrong_kind', 'an API key')
  }
  if (secret.length < SECRET_CHARACTERS_MIN) {
    throw new WebhookUsageError('secret_too_short', 'secret_prefix is no secret')
  }
  return secret
}
