import type { SigningKey, Webhook } from '@posthorn/contract'
import { useMayChange } from '../../app/session.ts'
import { ReceiverCode } from '../../components/receiver-code.tsx'
import { SendTest } from '../../components/send-test.tsx'
import { ProofMarks } from './proof-marks.tsx'
import { proofOf } from './rotation.ts'

/** Step 2: the code for the receiver, and whether the receiver accepts the replacement. */
export function AcceptStep({ webhook, replacement }: { webhook: Webhook; replacement: SigningKey }) {
  const mayChange = useMayChange()
  const isStopped = webhook.status === 'disabled'
  return (
    <div className="space-y-3">
      <ReceiverCode
        initial="Express"
        secretNames={['WEBHOOK_SECRET_NEW', 'WEBHOOK_SECRET']}
        path={URL.parse(webhook.url)?.pathname ?? '/hooks'}
      />
      <p>
        The current secret still signs. Each delivery also carries {replacement.signature_name}, made with the
        replacement.
      </p>
      <ProofMarks replacement={replacement} />
      {isStopped && <p>This endpoint is disabled: nothing is sent to it, so nothing can be verified.</p>}
      {!isStopped && proofOf(replacement) === 'none' && (
        <p className="text-ink-2">
          No delivery has been verified with the new key yet. If your receiver does not use our library, we
          cannot see this. Send a test event and check your logs.
        </p>
      )}
      {mayChange && !isStopped && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <span className="text-ink-2">Not enough events?</span>
          <SendTest webhookId={webhook.id} label="Send a test event" />
        </div>
      )}
    </div>
  )
}
