import type { Scope } from '@posthorn/contract'
import { scopes } from '@posthorn/contract/plain'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { fieldError } from '../words/form-errors.ts'
import { lifetimeEnd, lifetimesBy } from '../words/key-lifetimes.ts'
import { managesKeys } from '../words/own-keys.ts'
import { SelectField, TextField } from './field.tsx'
import { FormDialog } from './form-dialog.tsx'
import { OnceDialog } from './once-dialog.tsx'
import { ScopeChoice } from './scope-choice.tsx'

/** What the creator of a key may pass on to it. */
export interface KeyLimits {
  readonly scopes: readonly Scope[]
  /** Why a scope is not offered. */
  readonly scopeReason: string
  /** The latest expiry; null: a key need not expire. */
  readonly expireBy: string | null
  /** Why it cannot be later. */
  readonly expiryReason?: ReactNode
}

export interface CreateKeyDialogProps {
  readonly title: string
  readonly limits: KeyLimits
  /** The scopes that are ticked first. */
  readonly suggested?: readonly Scope[]
  /** Creates the key and returns it, without keeping it. */
  readonly create: (wishes: {
    name: string
    scopes: Scope[]
    expires_at: string | null
  }) => Promise<string | null>
  readonly onCreated: () => void
  readonly onClose: () => void
}

const usual: readonly Scope[] = ['read', 'send']

/** Creates an API key and shows it for the only time. */
export function CreateKeyDialog(props: CreateKeyDialogProps) {
  const { title, limits, suggested = usual, create, onCreated, onClose } = props
  const { scopeReason, expireBy, expiryReason } = limits
  const mayGrant = (scope: Scope): boolean => limits.scopes.includes(scope)
  const [name, setName] = useState('')
  const [chosen, setChosen] = useState<readonly Scope[]>(suggested.filter(mayGrant))
  const [openedMs] = useState(() => Date.now())
  const lifetimes = lifetimesBy(expireBy, openedMs)
  const [lifetime, setLifetime] = useState(lifetimes[0]?.label ?? '')
  const [key, setKey] = useState<string | null>(null)
  const creation = useMutation({
    // the cached mutation would keep the new key reachable through `setKey`
    gcTime: 0,
    mutationFn: async () => {
      const expiresAt = lifetimeEnd(lifetime, expireBy, Date.now())
      // return nothing, because the query client would cache the key
      setKey(await create({ name: name.trim(), scopes: [...chosen], expires_at: expiresAt }))
    },
    onSuccess: onCreated,
  })
  if (key !== null) return <ApiKeyOnce apiKey={key} onDone={onClose} />
  return (
    <FormDialog
      title={title}
      submit="Create API key"
      busy={creation.isPending}
      isReady={chosen.length > 0}
      error={creation.error}
      fields={['/name', '/expires_at']}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Name the program or person who uses it: ci, mailer, Ada."
        name="name"
        required
        maxLength={200}
        autoComplete="off"
        value={name}
        error={fieldError(creation.error, '/name')}
        onChange={event => setName(event.target.value)}
      />
      <ScopeChoice
        offered={scopes}
        chosen={chosen}
        reasonAgainst={scope => (mayGrant(scope) ? null : scopeReason)}
        onChange={setChosen}
      />
      {chosen.includes('keys') && !managesKeys(chosen) && (
        <p className="text-ink-2">
          <code>keys</code> does nothing without <code>send</code>.
        </p>
      )}
      <SelectField
        label="Expires"
        hint={expiryReason}
        value={lifetime}
        error={fieldError(creation.error, '/expires_at')}
        onChange={event => setLifetime(event.target.value)}
      >
        {lifetimes.map(({ label }) => (
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
        Programs send it as the bearer token of each request. People can sign in with it at{' '}
        <code>{location.origin}</code>.
      </p>
    </OnceDialog>
  )
}
