import type { SigningKey } from '@posthorn/contract'

/** `whsec_9fKq…`: what of a secret is shown for good. */
export function secretStart({ secret_prefix: prefix }: Pick<SigningKey, 'secret_prefix'>): string {
  return `${prefix}…`
}
