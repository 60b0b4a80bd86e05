import { LinkedList, type ListNode } from '../collections/linked-list.ts'
import type { EndpointQueue, Share } from './endpoint-queue.ts'

/** What this process holds of one account, and its turn in each share. */
export class AccountQueue {
  readonly accountId: string
  /** Its endpoints that this process has sent to. */
  endpoints: EndpointQueue[] = []
  unstarted = 0
  inFlight = 0
  /** Of those in flight, the ones at endpoints that are not proven. */
  inFlightUnproven = 0
  readonly turns: Record<Share, AccountTurn>

  constructor(accountId: string) {
    this.accountId = accountId
    this.turns = {
      proven: new AccountTurn(this),
      unproven: new AccountTurn(this),
      failing: new AccountTurn(this),
    }
  }
}

/** An account's turn in one share. */
export class AccountTurn {
  readonly account: AccountQueue
  /** Those of its endpoints that may start something. */
  readonly ready = new LinkedList<EndpointQueue>()
  /** Bytes that it may still send in this round (deficit round robin). */
  deficitBytes = 0
  /** Its place among the accounts, while any of its endpoints is ready. */
  node: ListNode<AccountTurn> | null = null

  constructor(account: AccountQueue) {
    this.account = account
  }
}
