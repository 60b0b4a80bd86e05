import { Unlink } from 'lucide-react'
import { hostOrigin, isFramed } from '../../app/frame.ts'
import { providerWords } from '../../words/provider-words.ts'

/** A portal link that opens nothing: used, too old, revoked, or not whole. */
export function LinkEnded() {
  const provider = providerWords(undefined, isFramed() ? hostOrigin() : null)
  return (
    <div role="alert" className="space-y-3">
      <Unlink size={24} aria-hidden className="text-ink-3" />
      <h1>This link does not open</h1>
      <p>This link has been used or is too old. Ask {provider} for a new one.</p>
    </div>
  )
}
