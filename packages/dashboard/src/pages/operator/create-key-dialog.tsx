import type { Account, Scope } from '@posthorn/contract'
import { scopes } from '@posthorn/contract/plain'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { SelectField, TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { OnceDialog } from '../../components/once-dialog.tsx'
import { ScopeChoice } from '../../components/scope-choice.tsx'
import { fieldError } from '../../words/form-errors.ts'
import { keyLifetimes, lifetimeEnd } from './key-lifetimes.ts'

export interface CreateKeyDialogProps {
  readonly account: Account
  readonly onClose: () => void
}

/** Creates an API key and shows it for the only time. */
export function CreateKeyDialog({ account, onClose }: CreateKeyDialogProps) {
  const { call } = useApi()
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(['read', 'send'])
  const [lifetime, setLifetime] = useState<string>(keyLifetimes[0].label)
  const [key, setKey] = useState<string | null>(null)
  const create = useMutation({
    // the cached mutation would keep the new key reachable through `setKey`
    gcTime: 0,
    mutationFn: async () => {
      const body = { name: name.trim(), scopes: [...chosen], expires_at: lifetimeEnd(lifetime, Date.now()) }
      // return nothing, because the query client would cache the key
      const { api_key: once } = await call('createApiKey', { params: { id: account.id }, body })
      setKey(once)
    },
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['account-keys', account.id] })
      void queries.invalidateQueries({ queryKey: ['audit-log', account.id] })
    },
  })
  if (key !== null) return <ApiKeyOnce apiKey={key} onDone={onClose} />
  return (
    <FormDialog
      title={`Create an API key for ${account.name}`}
      submit="Create API key"
      busy={create.isPending}
      isReady={chosen.length > 0}
      error={create.error}
      fields={['/name']}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Name the program that uses it: ci, mailer, support."
        name="name"
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        error={fieldError(create.error, '/name')}
        onChange={event => setName(event.target.value)}
      />
      <ScopeChoice offered={scopes} chosen={chosen} onChange={setChosen} />
      <SelectField label="Expires" value={lifetime} onChange={event => setLifetime(event.target.value)}>
        {keyLifetimes.map(({ label }) => (
          <option key={label}>{label}</option>
        ))}
      </SelectField>
    </FormDialog>
  )
}

function ApiKeyOnce({ apiKey, onDone }: { apiKey: string; onDone: () => void }) {
  return (
    <OnceDialog
      title="Save the API key"
      about="This is the only time we show it. We store only a digest and cannot show it again."
      leaveWords="Leave without saving? You would have to create another key."
      what="API key"
      secret={apiKey}
      onDone={onDone}
    >
      <p className="text-ink-2">
        Programs send it as <code>Authorization: Bearer …</code>. People can sign in with it here.
      </p>
    </OnceDialog>
  )
}
