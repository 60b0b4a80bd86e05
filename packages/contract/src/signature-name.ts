/** The parts of `X-Service-Signature` that can be signatures: the primary key's, and those of staged keys by age. */
export const signatureNames = ['v1', 'v1s', 'v1s2'] as const

export type SignatureName = (typeof signatureNames)[number]
