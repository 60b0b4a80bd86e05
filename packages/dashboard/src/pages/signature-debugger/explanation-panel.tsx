import { ReceiverCode } from '../../components/receiver-code.tsx'
import { TextLink } from '../../components/text-link.tsx'
import type { Explanation } from './mistakes/explanation.ts'
import type { Mender } from './mistakes/mistake.ts'

export interface ExplanationPanelProps {
  /** Null while it is looked for. */
  readonly explanation: Explanation | null
  /** The endpoint to which it was sent, when that is known. */
  readonly webhookId: string | null
}

/** Why rule 4 fails, and what to do about it. */
export function ExplanationPanel({ explanation, webhookId }: ExplanationPanelProps) {
  return (
    <section aria-label="Why it fails" className="space-y-3 border-l-4 border-control bg-sunken px-4 py-3">
      <p className="font-medium">{explanation?.sentence ?? 'Trying the usual mistakes…'}</p>
      {explanation?.mender != null && (
        <>
          <p>→ {advice[explanation.mender]}</p>
          {explanation.mender === 'body' && <ReceiverCode />}
          {explanation.mender === 'secret' && webhookId !== null && (
            <p>
              Lost it? No secret is shown twice.{' '}
              <TextLink to="/endpoints/$id/keys" params={{ id: webhookId }}>
                Make a replacement
              </TextLink>
            </p>
          )}
        </>
      )}
    </section>
  )
}

const advice: Record<Mender, string> = {
  body: 'Verify the raw bytes before JSON.parse.',
  secret: 'Give your server the whole secret of this endpoint, whsec_ included, and start it again.',
  signer:
    'We sign “t.body” with the text of the whole secret as the key. If code of yours made this header, change it there.',
}
