import { Unlink } from 'lucide-react'
import { hostOrigin, isFramed } from '../../app/frame.ts'
import { providerWords } from '../../words/provider-words.ts'

/** A portal link that does not work: used, expired, revoked, or incomplete. */
export function LinkEnded() {
  const provider = providerWords(undefined, isFramed() ? hostOrigin() : null)
  return (
    <div role="alert" className="space-y-3">
      <Unlink size={24} aria-hidden className="text-ink-3" />
      <h1>This link does not work</h1>
      <p>This link was already used or has expired. Ask {provider} for a new one.</p>
    </div>
  )
}
