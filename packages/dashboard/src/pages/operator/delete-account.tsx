import type { Account } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { countOf } from '../../format/numbers.ts'

/** Ends an account for good, once its name was typed. */
export function DeleteAccount({ account }: { account: Account }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const router = useRouter()
  const [isAsked, setIsAsked] = useState(false)
  const remove = useMutation({
    mutationFn: async () => await call('deleteAccount', { params: { id: account.id } }),
    onSuccess: async () => {
      announce(`Account ${account.name} deleted`)
      await router.navigate({ to: '/operator/accounts' })
      queries.removeQueries({ queryKey: ['account', account.id] })
      void queries.invalidateQueries({ queryKey: ['accounts'] })
    },
  })
  const endpoints = countOf(account.endpoint_count, 'endpoint', 'endpoints')
  return (
    <section aria-labelledby="delete" className="space-y-3">
      <h2 id="delete">Delete this account</h2>
      <p className="text-ink-2">
        Its keys and its {endpoints} stop at once. Nothing that waits is sent, and its data is dropped within
        a day.
      </p>
      <Button kind="danger" onClick={() => setIsAsked(true)}>
        Delete account
      </Button>
      {isAsked && (
        <ConfirmDialog
          title={`Delete ${account.name}?`}
          confirm="Delete account"
          danger
          typed={account.name.trim()}
          busy={remove.isPending}
          onConfirm={() => remove.mutate()}
          onCancel={() => setIsAsked(false)}
        >
          <p>
            <strong>Its {endpoints} get nothing any more, and what waits is never sent.</strong> Keys, signing
            secrets, events and deliveries are dropped within a day. Nobody can bring them back.
          </p>
          <ActionProblem error={remove.error} />
        </ConfirmDialog>
      )}
    </section>
  )
}
