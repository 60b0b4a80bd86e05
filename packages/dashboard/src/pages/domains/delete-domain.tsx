import type { SendingDomain } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'

/** Ends the signing of a domain's mail, after its name was typed. */
export function DeleteDomain({ domain }: { domain: SendingDomain }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [isAsked, setIsAsked] = useState(false)
  const { id, name, verified_at: signedSince } = domain
  const deleting = useMutation({
    mutationFn: async () => await call('deleteSendingDomain', { params: { id } }),
    onSuccess: async () => {
      announce(`${name} is deleted`)
      await navigate({ to: '/domains' })
      void queries.invalidateQueries({ queryKey: ['domains', 'list'] })
    },
  })
  const consequences = (
    <p>
      {signedSince !== null && <strong>Its mail is not signed any more, from at once. </strong>}
      The private key is erased. Who adds the domain again gets another key, and another record to publish.
    </p>
  )
  return (
    <section aria-label="Delete" className="space-y-2 border-t border-line pt-5">
      <h2>Delete</h2>
      {consequences}
      <Button kind="danger" icon={<Trash2 size={16} aria-hidden />} onClick={() => setIsAsked(true)}>
        Delete domain …
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirm="Delete domain"
          danger
          typed={name}
          busy={deleting.isPending}
          onConfirm={() => deleting.mutate()}
          onCancel={() => {
            setIsAsked(false)
            deleting.reset()
          }}
        >
          {consequences}
          <ActionProblem error={deleting.error} />
        </ConfirmDialog>
      )}
    </section>
  )
}
