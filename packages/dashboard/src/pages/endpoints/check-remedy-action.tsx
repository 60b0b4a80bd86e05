import type { CheckFinding, Webhook } from '@posthorn/contract'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { ReceiverCode } from '../../components/receiver-code.tsx'
import { remedyFor } from '../../words/check-words.ts'

/** The button for a finding's remedy, if the dashboard has one. */
export function CheckRemedyAction({ finding, webhook }: { finding: CheckFinding; webhook: Webhook }) {
  const params = { id: webhook.id }
  switch (remedyFor(finding)) {
    case null:
      return null
    case 'change-url':
      return (
        <ButtonLink to="/endpoints/$id/settings" params={params}>
          Change the URL
        </ButtonLink>
      )
    case 'set-rate-limit':
      return (
        <ButtonLink to="/endpoints/$id/settings" params={params}>
          Set a rate limit
        </ButtonLink>
      )
    case 'look-at-keys':
      return (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/endpoints/$id/keys" params={params}>
            Signing keys
          </ButtonLink>
          <ButtonLink to="/tools/signature">Signature debugger</ButtonLink>
        </div>
      )
    case 'show-code':
      return <CodeThatVerifies url={webhook.url} />
  }
}

function CodeThatVerifies({ url }: { url: string }) {
  const [isOpen, setIsOpen] = useState(false)
  const path = URL.parse(url)?.pathname
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Verification code</Button>
      {isOpen && (
        <Dialog
          title="Verification code"
          onClose={() => setIsOpen(false)}
          actions={
            <Button kind="primary" onClick={() => setIsOpen(false)}>
              Close
            </Button>
          }
        >
          <ReceiverCode initial="Express" {...(path !== undefined && { path })} />
        </Dialog>
      )}
    </>
  )
}
