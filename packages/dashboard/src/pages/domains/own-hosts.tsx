import type { SendingDomain } from '@posthorn/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../../api/api-context.ts'
import { announce } from '../../app/announce.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldError, otherError } from '../../words/form-errors.ts'

const fields = ['/return_path_domain', '/link_host']

/** Sets the names below the domain that its bounces and unsubscribe links use. */
export function OwnHosts({ domain }: { domain: SendingDomain }) {
  const { id, name } = domain
  const { call } = useApi()
  const queries = useQueryClient()
  const [returnPath, setReturnPath] = useState(domain.return_path_domain ?? '')
  const [link, setLink] = useState(domain.link_host ?? '')
  const save = useMutation({
    mutationFn: async () =>
      await call('updateSendingDomain', {
        params: { id },
        body: { return_path_domain: returnPath.trim() || null, link_host: link.trim() || null },
      }),
    onSuccess: async changed => {
      // a request that is still under way has data from before the change
      await queries.cancelQueries({ queryKey: ['domains', id] })
      queries.setQueryData(['domains', id], changed)
      setReturnPath(changed.return_path_domain ?? '')
      setLink(changed.link_host ?? '')
      announce('Names saved')
    },
  })
  const isSame =
    returnPath.trim() === (domain.return_path_domain ?? '') && link.trim() === (domain.link_host ?? '')
  return (
    <section aria-labelledby="own-hosts" className="max-w-180 space-y-3">
      <h2 id="own-hosts">Your own return path and link host</h2>
      <p className="text-ink-2">
        Optional. Each name gets a DNS record above. Ask the operator before you publish it, because the
        operator must serve the name too. We use a name only while its record is correct and the mail is
        signed.
      </p>
      <form
        className="space-y-3"
        onSubmit={event => {
          event.preventDefault()
          if (!save.isPending) save.mutate()
        }}
      >
        <TextField
          label="Return path domain"
          hint="Bounces arrive here, and SPF then matches your From address."
          name="return-path-domain"
          placeholder={`bounces.${name}`}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={returnPath}
          error={fieldError(save.error, '/return_path_domain')}
          onChange={event => setReturnPath(event.target.value)}
        />
        <TextField
          label="Link host"
          hint="Unsubscribe links use this host."
          name="link-host"
          placeholder={`links.${name}`}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={link}
          error={fieldError(save.error, '/link_host')}
          onChange={event => setLink(event.target.value)}
        />
        <Button type="submit" busy={save.isPending} disabled={isSame}>
          Save names
        </Button>
        <ActionProblem error={otherError(save.error, fields)} />
      </form>
    </section>
  )
}
