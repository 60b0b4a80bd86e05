import { ReceiverCode } from '../../components/receiver-code.tsx'
import { TextLink } from '../../components/text-link.tsx'
import type { Explanation } from './mistakes/explanation.ts'
import type { Mender } from './mistakes/mistake.ts'

export interface ExplanationPanelProps {
  /** Null during the search. */
  readonly explanation: Explanation | null
  /** The endpoint that the request was for, if known. */
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
              Lost it? We show each secret only once.{' '}
              <TextLink to="/endpoints/$id/keys" params={{ id: webhookId }}>
                Create a replacement
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
  secret: 'Configure your server with the whole secret of this endpoint, including whsec_, and restart it.',
  signer:
    'We sign “t.body”, and the key is the text of the whole secret. If your own code created this header, fix it there.',
}
