import { LockOpen } from 'lucide-react'

/** Refuses to sign in over an insecure connection. `advice` from the service says what to open or to set up. */
export function HttpsNeeded({ advice }: { advice: string }) {
  return (
    <div role="alert" className="space-y-2 border-l-4 border-failed bg-failed-tint px-4 py-3">
      <h2 className="flex items-center gap-2">
        <LockOpen size={16} aria-hidden className="text-failed" />
        HTTPS is needed
      </h2>
      <p>Over plain HTTP, others on the network can read what you do and sign in as you.</p>
      <p>{advice}</p>
    </div>
  )
}
