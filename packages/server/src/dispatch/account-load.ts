import type { Lane, Share } from './lane.ts'
import type { AccountTurn } from './turns.ts'

/**
 * What this process holds for one account and has under way: its endpoints lead here, so that whoever counts or decides for a
 * delivery need not look the account up. With thousands of accounts each such look is one at memory that no cache holds.
 */
export class AccountLoad {
  readonly accountId: string
  /** Its endpoints that this process has sent to. */
  lanes: Lane[] = []
  /** Deliveries that lie unstarted, and those of them whose endpoints are not proven or fail. */
  unstarted = 0
  unstartedUnproven = 0
  /** Attempts under way, and those of them at endpoints that are not proven or fail. */
  inFlight = 0
  inFlightUnproven = 0
  /** Where it stands in the turns of each share, once it has stood there. */
  readonly turns: Record<Share, AccountTurn | null> = { proven: null, unproven: null, failing: null }

  constructor(accountId: string) {
    this.accountId = accountId
  }
}
