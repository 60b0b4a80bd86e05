import type { Suppression } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { fieldError } from '../../words/form-errors.ts'
import { HeldBackChoice } from './held-back-choice.tsx'

export interface AddSuppressionDialogProps {
  /** The initial address. */
  readonly address: string
  readonly onAdded: (address: string) => void
  readonly onClose: () => void
}

/** Suppresses an address for all mail, for all lists, or for one list. */
export function AddSuppressionDialog({ address: first, onAdded, onClose }: AddSuppressionDialogProps) {
  const { call } = useApi()
  const queries = useQueryClient()
  const [address, setAddress] = useState(first)
  const [type, setType] = useState<Suppression['scope']['type']>('all_mail')
  const [list, setList] = useState('')
  const add = useMutation({
    mutationFn: async () => {
      const scope = type === 'list' ? { type, id: list.trim() } : { type }
      return await call('createSuppression', { body: { address: address.trim(), scope } })
    },
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['suppressions'] })
      announce('The address is suppressed')
      onClose()
      onAdded(address.trim())
    },
  })
  return (
    <FormDialog
      title="Suppress an address"
      submit="Add suppression"
      busy={add.isPending}
      error={add.error}
      fields={['/address', '/scope']}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Address"
        name="address"
        inputMode="email"
        required
        maxLength={320}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={address}
        error={fieldError(add.error, '/address')}
        onChange={event => setAddress(event.target.value)}
      />
      <HeldBackChoice chosen={type} onChange={setType} />
      {type === 'list' && (
        <TextField
          label="List"
          hint="The name in your emails’ unsubscribe.list."
          name="list"
          required
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          value={list}
          error={fieldError(add.error, '/scope')}
          onChange={event => setList(event.target.value)}
        />
      )}
    </FormDialog>
  )
}
