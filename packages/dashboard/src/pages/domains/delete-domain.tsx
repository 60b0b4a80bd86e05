import type { SendingDomain } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { DeleteSection } from '../../components/delete-section.tsx'

/** Deletes a sending domain after its name was typed; its mail is no longer signed. */
export function DeleteDomain({ domain }: { domain: SendingDomain }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const { id, name, verified_at: signedSince } = domain
  const deleting = useMutation({
    mutationFn: async () => await call('deleteSendingDomain', { params: { id } }),
    onSuccess: async () => {
      announce(`${name} was deleted`)
      await navigate({ to: '/domains' })
      void queries.invalidateQueries({ queryKey: ['domains', 'list'] })
    },
  })
  const consequences = (
    <p>
      {signedSince !== null && <strong>We stop signing its mail at once. </strong>}
      The private key is erased. If you add the domain again, it gets a new key and a new record to publish.
    </p>
  )
  return <DeleteSection what="domain" name={name} consequences={consequences} deleting={deleting} />
}
