import type { DomainRecord, SendingDomain } from '@posthorn/contract'
import { expect } from 'vitest'
import type { Database } from '../../src/db/database.ts'
import { openDns } from '../../src/dns/open-dns.ts'
import { dkimKeyFor, type SigningDomain } from '../../src/domains/signing-domain.ts'
import { type Answer, call, newCustomer, openTestApp, type TestApp } from '../http/test-app.ts'
import type { DnsServer } from '../support/dns-server.ts'
import { type VerbContext, verbContext } from '../verbs/verb-context.ts'

/** The context of an app that queries the test's name server. */
export function domainContext(db: Database, dns: DnsServer): VerbContext {
  const ctx = verbContext(db)
  const outside = {
    ...ctx.outside,
    dns: openDns([dns.address]),
    returnPath: () => ({ domain: 'bounces.acme.example', host: 'mx.acme.example' }),
    publicUrl: () => 'http://mail.posthorn.example',
  }
  return { ...ctx, outside }
}

/** Starts an app that queries the test's name server. */
export async function openDomainApp(db: Database, dns: DnsServer): Promise<TestApp> {
  return await openTestApp(db, { ctx: domainContext(db, dns) })
}

/** A separate account and its operations on domains. */
export interface DomainAccount {
  accountId: string
  accountUuid: string
  ask(method: string, path: string, json?: object): Promise<Answer>
  add(name: string): Promise<SendingDomain>
  check(domain: SendingDomain): Promise<SendingDomain>
  keyFor(name: string): Promise<SigningDomain | null>
}

export async function newDomainAccount(app: TestApp): Promise<DomainAccount> {
  const { apiKey: as, accountId, accountUuid } = await newCustomer(app)
  const ask = async (method: string, path: string, json?: object): Promise<Answer> =>
    await call(app, method, path, { as, ...(json !== undefined && { json }) })
  return {
    accountId,
    accountUuid,
    ask,
    add: async name => {
      const { status, body } = await ask('POST', '/v1/domains', { name })
      expect(status, JSON.stringify(body)).toBe(201)
      return body as unknown as SendingDomain
    },
    check: async ({ id }) => {
      // another test is about the limit of checks
      await app.ctx.db.query('delete from endpoint_check where account_id = $1', [accountUuid])
      const { status, body } = await ask('POST', `/v1/domains/${id}/check`)
      expect(status, JSON.stringify(body)).toBe(200)
      return body as unknown as SendingDomain
    },
    keyFor: async name => await dkimKeyFor(app.ctx, accountUuid, name),
  }
}

let names = 0

/** A name that no other test uses. */
export function newName(): string {
  return `d${++names}.acme.example`
}

export function recordOf(domain: SendingDomain, purpose: DomainRecord['purpose']): DomainRecord {
  const record = domain.records.find(one => one.purpose === purpose)
  if (record === undefined) throw new Error(`no record for ${purpose}`)
  return record
}
