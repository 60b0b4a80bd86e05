import type { ReactNode } from 'react'

/** Says why there is nothing, and what would bring something. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 py-12">
      <p className="text-ink-2">{children}</p>
      {action}
    </div>
  )
}
