import type { SigningKey } from '@posthorn/contract'

/** The visible start of a secret: `whsec_9fKq…`. */
export function secretStart({ secret_prefix: prefix }: Pick<SigningKey, 'secret_prefix'>): string {
  return `${prefix}…`
}
