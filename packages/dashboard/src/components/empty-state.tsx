import type { ReactNode } from 'react'

/** Says why a list is empty, and what would fill it. */
export function EmptyState({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="flex flex-col items-start gap-3 py-12">
      <p className="text-ink-2">{children}</p>
      {action}
    </div>
  )
}
