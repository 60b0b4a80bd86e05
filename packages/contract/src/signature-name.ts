/** The names of signature parts in `X-Service-Signature`: the primary key first, then staged keys by age. */
export const signatureNames = ['v1', 'v1s', 'v1s2'] as const

export type SignatureName = (typeof signatureNames)[number]
