import { WebhookUsageError } from './errors.ts'

const HINT = 'use the whole secret (whsec_…), without quotes or a name'

/**
 * Refuses secrets that can only be a mistake when the verifier is created. An empty secret is the worst, because anyone
 * can sign with it.
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
  // Text before `whsec_`, a missing prefix, a character that no secret has, another credential, or an id.
  if (/.whsec_|[^\w+/=-]|^(ph[ak]|whk?)_|^[^_]{43,44}$/.test(secret)) {
    throw new WebhookUsageError('secret_wrong_kind', HINT)
  }
  // `secret_prefix` from the API has 10 characters and must not pass as a secret.
  if (secret.length < 24) throw new WebhookUsageError('secret_too_short', HINT)
  return secret
}
