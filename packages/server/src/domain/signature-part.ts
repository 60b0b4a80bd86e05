/** When a signing key changed its state. Ids are ordered by time, so the older key has the smaller id. */
export interface KeyHistory {
  id: string
  createdAtMs: number
  promotedAtMs: number | null
  retiredAtMs: number | null
}

/**
 * The name of the signature part that a key signed at a time; null if it did not sign then. The primary key signs `v1`, the
 * older staged key `v1s`, and the other staged key `v1s2`.
 */
export function signaturePartAt(keys: readonly KeyHistory[], keyId: string, atMs: number): string | null {
  const key = keys.find(one => one.id === keyId)
  if (key === undefined || !isLiveAt(key, atMs)) return null
  if (!isStagedAt(key, atMs)) return 'v1'
  const older = keys.filter(one => one.id < keyId && isStagedAt(one, atMs)).length
  return older === 0 ? 'v1s' : `v1s${older + 1}`
}

function isLiveAt({ createdAtMs, retiredAtMs }: KeyHistory, atMs: number): boolean {
  return createdAtMs <= atMs && (retiredAtMs === null || atMs < retiredAtMs)
}

function isStagedAt(key: KeyHistory, atMs: number): boolean {
  return isLiveAt(key, atMs) && (key.promotedAtMs === null || atMs < key.promotedAtMs)
}
