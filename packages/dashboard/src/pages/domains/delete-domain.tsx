import type { SendingDomain } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { DeleteSection } from '../../components/delete-section.tsx'

/** Ends the signing of a domain's mail, after its name was typed. */
export function DeleteDomain({ domain }: { domain: SendingDomain }) {
  const { call } = useApi()
  const queries = useQueryClient()
  const navigate = useNavigate()
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
  return <DeleteSection what="domain" name={name} consequences={consequences} deleting={deleting} />
}
