import type { SigningKey, Webhook } from '@posthorn/contract'

/** A key of the account with the start of its secret. */
export interface KnownKey {
  readonly webhook: Pick<Webhook, 'id' | 'url' | 'description'>
  readonly key: SigningKey
}

/** The keys whose secrets start with the same ten characters, after adding a missing `whsec_`. */
export function keysThatBegin(secret: string, known: readonly KnownKey[]): KnownKey[] {
  const whole = secret.startsWith('whsec_') ? secret : `whsec_${secret}`
  return whole.length < 10 ? [] : known.filter(({ key }) => whole.startsWith(key.secret_prefix))
}
