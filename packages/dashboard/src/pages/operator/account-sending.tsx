import type { Account } from '@posthorn/contract'
import { AccountLimits } from './account-limits.tsx'
import { AccountSuspension } from './account-suspension.tsx'

/** What the account may send. */
export function AccountSending({ account }: { account: Account }) {
  return (
    <section aria-labelledby="sending" className="space-y-4">
      <h2 id="sending">Sending</h2>
      <AccountSuspension account={account} />
      <AccountLimits account={account} />
    </section>
  )
}
