import type { Account } from '@posthorn/contract'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldError, otherError } from '../../words/form-errors.ts'
import { ChangeButton } from './change-button.tsx'
import { useUpdateAccount } from './use-update-account.ts'

/** The account's name and the number of endpoints in its plan. */
export function AccountPlan({ account }: { account: Account }) {
  const [name, setName] = useState(account.name)
  const [slots, setSlots] = useState(String(account.max_endpoints))
  const save = useUpdateAccount(account.id)
  const isSame = name.trim() === account.name && Number(slots) === account.max_endpoints
  const isBelowUse = Number(slots) < account.endpoint_count
  return (
    <section aria-labelledby="plan" className="max-w-110 space-y-3">
      <h2 id="plan">Name and plan</h2>
      <form
        className="space-y-4"
        onSubmit={event => {
          event.preventDefault()
          if (save.isPending) return
          save.mutate(
            { name: name.trim(), max_endpoints: Number(slots) },
            { onSuccess: () => announce('Saved') },
          )
        }}
      >
        <TextField
          label="Name"
          name="account-name"
          required
          maxLength={200}
          autoComplete="off"
          value={name}
          error={fieldError(save.error, '/name')}
          onChange={event => setName(event.target.value)}
        />
        <TextField
          label="Webhook endpoints"
          name="account-slots"
          type="number"
          min={0}
          max={1_000_000}
          required
          hint={`${account.endpoint_count} in use.${isBelowUse ? ' They keep working, but no new ones can be created.' : ''}`}
          value={slots}
          error={fieldError(save.error, '/max_endpoints')}
          onChange={event => setSlots(event.target.value)}
        />
        <div className="flex items-center gap-3">
          <ChangeButton type="submit" busy={save.isPending} disabled={isSame}>
            Save
          </ChangeButton>
          {isSame && save.isSuccess && <span className="text-delivered">Saved.</span>}
        </div>
        <ActionProblem error={otherError(save.error, ['/name', '/max_endpoints'])} />
      </form>
    </section>
  )
}
