import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { fieldError } from '../../words/form-errors.ts'

/** Creates an account and opens its page. */
export function CreateAccountDialog({ onClose }: { onClose: () => void }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
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
  return (
    <FormDialog
      title="Create an account"
      submit="Create account"
      busy={create.isPending}
      error={create.error}
      fields={['/name', '/max_endpoints']}
      onSubmit={() => create.mutate()}
      onClose={onClose}
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
        hint="How many endpoints the plan allows."
        name="slots"
        type="number"
        min={0}
        max={1_000_000}
        required
        value={slots}
        error={fieldError(create.error, '/max_endpoints')}
        onChange={event => setSlots(event.target.value)}
      />
    </FormDialog>
  )
}
