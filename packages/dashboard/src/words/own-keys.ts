import type { ApiKey, Scope } from '@posthorn/contract'
import { apiKeyState } from './api-key-words.ts'

/** Whether a key works now. */
export function isLive(key: ApiKey, nowMs: number): boolean {
  return ['live', 'ending'].includes(apiKeyState(key, nowMs))
}

/** Whether somebody with these scopes may revoke the key: it has none that they do not have. */
export function mayRevoke(key: ApiKey, scopes: readonly Scope[]): boolean {
  return key.scopes.every(scope => scopes.includes(scope))
}

/** The working keys that a key created. They keep working when it is revoked. */
export function keysCreatedBy(key: ApiKey, all: readonly ApiKey[], nowMs: number): ApiKey[] {
  return all.filter(other => other.created_by.api_key_id === key.id && isLive(other, nowMs))
}

/** Whether no other working key can create and revoke keys. */
export function isLastManager(key: ApiKey, all: readonly ApiKey[], nowMs: number): boolean {
  const managers = all.filter(one => managesKeys(one.scopes) && isLive(one, nowMs))
  return managers.length === 1 && managers[0]?.id === key.id
}

/** Whether these scopes allow creating and revoking keys. */
export function managesKeys(scopes: readonly Scope[]): boolean {
  return scopes.includes('send') && scopes.includes('keys')
}
