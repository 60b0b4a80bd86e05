import { CircleCheck, CircleDashed, OctagonX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export interface CheckItem {
  readonly state: 'good' | 'warning' | 'bad' | 'unknown'
  readonly text: ReactNode
  readonly action?: ReactNode
}

const marks = {
  good: { icon: CircleCheck, look: 'text-delivered', word: 'Good' },
  warning: { icon: TriangleAlert, look: 'text-failed', word: 'Warning' },
  bad: { icon: OctagonX, look: 'text-exhausted', word: 'Problem' },
  unknown: { icon: CircleDashed, look: 'text-ink-3', word: 'Unknown' },
} as const

export interface CheckListProps {
  readonly label: string
  readonly items: readonly CheckItem[]
  /** Side by side, for items of one or two words. */
  readonly inline?: boolean
}

/** Findings, one per line: mark, sentence, and remedy. */
export function CheckList({ label, items, inline = false }: CheckListProps) {
  return (
    <ul aria-label={label} className={inline ? 'flex flex-wrap gap-x-4 gap-y-1.5' : 'space-y-1.5'}>
      {items.map((item, place) => {
        const { icon: Icon, look, word } = marks[item.state]
        return (
          // items have no identity but their place
          <li key={place} className="flex items-start gap-2">
            <Icon size={16} role="img" aria-label={word} className={`mt-0.5 shrink-0 ${look}`} />
            <div className="min-w-0 flex-1">{item.text}</div>
            {item.action}
          </li>
        )
      })}
    </ul>
  )
}
