import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { TextField } from '../../components/field.tsx'
import { FormDialog } from '../../components/form-dialog.tsx'
import { fieldError } from '../../words/form-errors.ts'

/** Adds a sending domain and opens the page with its DNS records. */
export function AddDomainDialog({ onClose }: { onClose: () => void }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: async () => await call('createSendingDomain', { body: { name: name.trim() } }),
    onSuccess: async domain => {
      queries.setQueryData(['domains', domain.id], domain)
      void queries.invalidateQueries({ queryKey: ['domains', 'list'] })
      announce(`Domain ${domain.name} added`)
      await router.navigate({ to: '/domains/$id', params: { id: domain.id } })
    },
  })
  return (
    <FormDialog
      title="Add a domain"
      submit="Add domain"
      busy={add.isPending}
      error={add.error}
      fields={['/name']}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Domain"
        hint="The part after the @ in your From address. We create a DKIM key, and you publish it in the domain’s DNS."
        name="domain"
        placeholder="mail.example.com"
        required
        maxLength={253}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={name}
        error={fieldError(add.error, '/name')}
        onChange={event => setName(event.target.value)}
      />
    </FormDialog>
  )
}
