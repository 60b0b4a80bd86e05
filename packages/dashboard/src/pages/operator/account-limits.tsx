import type { Account } from '@posthorn/contract'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { TextField } from '../../components/field.tsx'
import { formatCount } from '../../format/numbers.ts'
import { fieldError, otherError } from '../../words/form-errors.ts'
import { ChangeButton } from './change-button.tsx'
import { useUpdateAccount } from './use-update-account.ts'

/** How many messages the account may send, and what it has sent. */
export function AccountLimits({ account }: { account: Account }) {
  const [perHour, setPerHour] = useState(textOf(account.messages_per_hour))
  const [perDay, setPerDay] = useState(textOf(account.messages_per_day))
  const save = useUpdateAccount(account.id)
  const limits = { messages_per_hour: limitOf(perHour), messages_per_day: limitOf(perDay) }
  const isSame =
    limits.messages_per_hour === account.messages_per_hour &&
    limits.messages_per_day === account.messages_per_day
  return (
    <form
      className="max-w-110 space-y-4"
      onSubmit={event => {
        event.preventDefault()
        if (!save.isPending) save.mutate(limits, { onSuccess: () => announce('Saved') })
      }}
    >
      <TextField
        label="Messages per hour"
        name="messages-per-hour"
        type="number"
        min={0}
        max={1_000_000_000}
        hint={sentHint(account.messages_this_hour, 'hour')}
        value={perHour}
        error={fieldError(save.error, '/messages_per_hour')}
        onChange={event => setPerHour(event.target.value)}
      />
      <TextField
        label="Messages per day"
        name="messages-per-day"
        type="number"
        min={0}
        max={1_000_000_000}
        hint={sentHint(account.messages_this_day, 'day')}
        value={perDay}
        error={fieldError(save.error, '/messages_per_day')}
        onChange={event => setPerDay(event.target.value)}
      />
      <div className="flex items-center gap-3">
        <ChangeButton type="submit" busy={save.isPending} disabled={isSame}>
          Save limits
        </ChangeButton>
        {isSame && save.isSuccess && <span className="text-delivered">Saved.</span>}
      </div>
      <ActionProblem error={otherError(save.error, ['/messages_per_hour', '/messages_per_day'])} />
    </form>
  )
}

function textOf(limit: number | null): string {
  return limit === null ? '' : String(limit)
}

function limitOf(text: string): number | null {
  return text.trim() === '' ? null : Number(text)
}

function sentHint(used: number | null, period: 'hour' | 'day'): string {
  return used === null
    ? 'Empty: no limit. We count messages only for accounts with a limit.'
    : `${formatCount(used)} sent this ${period}. Empty: no limit.`
}
