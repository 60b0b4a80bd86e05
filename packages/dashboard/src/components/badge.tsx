import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export interface BadgeLook {
  readonly icon: LucideIcon
  /** Colour classes: `bg-delivered-tint text-delivered`. */
  readonly look: string
}

/** A state as icon, word and colour together; `children` starts with the word. */
export function Badge({ icon: Icon, look, children }: BadgeLook & { readonly children: ReactNode }) {
  return (
    <span
      data-badge
      className={`inline-flex items-center gap-1 rounded-small px-1.5 py-0.5 text-body ${look}`}
    >
      <Icon size={14} aria-hidden className="shrink-0" />
      <span>{children}</span>
    </span>
  )
}
