import { Line, type Place } from '../domain/line.ts'
import type { ReadyEndpoint } from './find-ready.ts'

/** Endpoints that have something due, in turn: accounts first, so that one with thousands of them is one among others. */
export class DueLine {
  readonly #places = new Map<string, Place<Due>>()
  readonly #accounts = new Map<string, AccountDue>()
  readonly #line = new Line<AccountDue>()

  get size(): number {
    return this.#places.size
  }

  /** Whether an endpoint of this account is in line to which as much may be sent as it takes. */
  hasUnpaced(accountId: string): boolean {
    let at = this.#accounts.get(accountId)?.endpoints.first ?? null
    while (at?.item.endpoint.paced === true) at = at.after
    return at !== null
  }

  get(endpointId: string): ReadyEndpoint | undefined {
    return this.#places.get(endpointId)?.item.endpoint
  }

  /** Enters an endpoint at its account's end. One that is there keeps its place, and is known as it is now. */
  set(endpoint: ReadyEndpoint): void {
    const known = this.#places.get(endpoint.endpointId)
    if (known !== undefined) {
      known.item.endpoint = endpoint
      return
    }
    const account = this.#accounts.get(endpoint.accountId) ?? this.#enter(endpoint.accountId)
    this.#places.set(endpoint.endpointId, account.endpoints.append({ endpoint, account }))
  }

  delete(endpointId: string): void {
    const place = this.#places.get(endpointId)
    if (place === undefined) return
    this.#places.delete(endpointId)
    const { account } = place.item
    account.endpoints.remove(place)
    if (account.endpoints.size > 0) return
    this.#line.remove(account.place)
    this.#accounts.delete(account.accountId)
  }

  /** It was asked: its account's others come first, and the other accounts. */
  toEnd(endpointId: string): void {
    const place = this.#places.get(endpointId)
    if (place === undefined) return
    const { account } = place.item
    account.endpoints.toEnd(place)
    this.#line.toEnd(account.place)
  }

  /**
   * The first of each account, then the second of those that have two, and so on; nothing may change meanwhile.
   * @param capped asked before each: of an account for which it says true none follows
   */
  *inTurn(capped: (accountId: string) => boolean): Generator<ReadyEndpoint, undefined> {
    let following: Array<Place<Due>> = []
    for (let at = this.#line.first; at !== null; at = at.after) {
      const { first } = at.item.endpoints
      if (first === null || capped(at.item.accountId)) continue
      yield first.item.endpoint
      if (first.after !== null) following.push(first.after)
    }
    while (following.length > 0) {
      const next: Array<Place<Due>> = []
      for (const place of following) {
        if (capped(place.item.account.accountId)) continue
        yield place.item.endpoint
        if (place.after !== null) next.push(place.after)
      }
      following = next
    }
  }

  #enter(accountId: string): AccountDue {
    const account = new AccountDue(accountId, this.#line)
    this.#accounts.set(accountId, account)
    return account
  }
}

interface Due {
  endpoint: ReadyEndpoint
  readonly account: AccountDue
}

class AccountDue {
  readonly accountId: string
  readonly endpoints = new Line<Due>()
  readonly place: Place<AccountDue>

  constructor(accountId: string, line: Line<AccountDue>) {
    this.accountId = accountId
    this.place = line.append(this)
  }
}
