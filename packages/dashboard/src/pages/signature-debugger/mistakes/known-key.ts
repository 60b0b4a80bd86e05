import type { SigningKey, Webhook } from '@posthorn/contract'

/** A key of the account, of which the beginning is known. */
export interface KnownKey {
  readonly webhook: Pick<Webhook, 'id' | 'url'>
  readonly key: SigningKey
}

/** The keys with whose first ten characters a secret begins, `whsec_` being added where it was cut off. */
export function keysThatBegin(secret: string, known: readonly KnownKey[]): KnownKey[] {
  const whole = secret.startsWith('whsec_') ? secret : `whsec_${secret}`
  return whole.length < 10 ? [] : known.filter(({ key }) => whole.startsWith(key.secret_prefix))
}

/** An endpoint's URL without its scheme: as short as it stays recognisable. */
export function endpointName({ url }: Pick<Webhook, 'url'>): string {
  return url.replace(/^https?:\/\//, '').replace(/\/$/, '')
}
