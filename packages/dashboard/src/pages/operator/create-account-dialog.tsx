import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldError, otherError } from '../../words/form-errors.ts'

/** Makes an account and leads to it. */
export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const formId = useId()
  const [name, setName] = useState('')
  const [slots, setSlots] = useState('10')
  const create = useMutation({
    mutationFn: async () =>
      await call('createAccount', { body: { name: name.trim(), max_endpoints: Number(slots) } }),
    onSuccess: async account => {
      announce(`Account ${account.name} created`)
      void queries.invalidateQueries({ queryKey: ['accounts'] })
      await router.navigate({ to: '/operator/accounts/$id', params: { id: account.id } })
    },
  })
  const fields = ['/name', '/max_endpoints']
  return (
    <Dialog
      title="Create an account"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={formId} busy={create.isPending}>
            Create account
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="space-y-4"
        onSubmit={event => {
          event.preventDefault()
          if (!create.isPending) create.mutate()
        }}
      >
        <TextField
          label="Name"
          hint="As the customer sees it."
          name="name"
          required
          maxLength={200}
          autoComplete="off"
          value={name}
          error={fieldError(create.error, '/name')}
          onChange={event => setName(event.target.value)}
        />
        <TextField
          label="Webhook endpoints"
          hint="How many the plan allows."
          name="slots"
          type="number"
          min={0}
          max={1_000_000}
          required
          value={slots}
          error={fieldError(create.error, '/max_endpoints')}
          onChange={event => setSlots(event.target.value)}
        />
        <ActionProblem error={otherError(create.error, fields)} />
      </form>
    </Dialog>
  )
}
