import { type WebhookErrorCode, WebhookUsageError } from './errors.ts'

const SECRETS_MAX = 10
// `secret_prefix`, which the API shows, is 10 characters long: pasting it must not pass.
const SECRET_CHARACTERS_MIN = 24

/**
 * Refuses, when the verifier is made, every secret that could only have come from a mistake. An empty one is
 * the worst: anybody can sign with it.
 */
export function checkSecrets(secrets: unknown): string[] {
  const list: unknown[] = Array.isArray(secrets) ? [...secrets] : [secrets]
  if (list.length === 0) throw fault('secret_missing', 'the list of secrets is empty')
  if (list.length > SECRETS_MAX) throw fault('secrets_too_many', `more than ${SECRETS_MAX} secrets`)
  if (list.some(secret => secret === '' || secret === 'whsec_'))
    throw fault('secret_empty', 'a secret is empty')
  return list.map(checkSecret)
}

function checkSecret(secret: unknown): string {
  if (typeof secret !== 'string') {
    throw fault('secret_missing', 'a secret is not a string; is the environment variable set?')
  }
  if (/\s/.test(secret)) throw fault('secret_whitespace', 'a secret contains white space; trim what you read')
  if (/^ph[ak]_/.test(secret)) {
    throw fault('secret_wrong_kind', 'an API key was given where the secret of an endpoint (whsec_…) belongs')
  }
  if (secret.length < SECRET_CHARACTERS_MIN) {
    throw fault('secret_too_short', 'a secret is too short; secret_prefix is not the signing secret')
  }
  return secret
}

function fault(code: WebhookErrorCode, message: string): WebhookUsageError {
  return new WebhookUsageError(code, message)
}
