import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export interface ProcedureStep {
  readonly state: 'done' | 'current' | 'later'
  /** What to do, or what was done. */
  readonly title: ReactNode
  /** Beside the title: a way back, or the step's button. */
  readonly aside?: ReactNode
  readonly children?: ReactNode
}

const looks = {
  done: { word: 'Done', look: 'border-delivered bg-delivered-tint text-delivered' },
  current: { word: 'Now', look: 'border-brass-edge bg-brass text-on-brass font-semibold' },
  later: { word: 'Later', look: 'border-control text-ink-3' },
} as const

/** Steps in order, perhaps on different days and by different people. */
export function Procedure({ label, steps }: { label: string; steps: readonly ProcedureStep[] }) {
  return (
    <ol aria-label={label}>
      {steps.map(({ state, title, aside, children }, place) => (
        // the steps never change their order
        <li
          key={place}
          aria-current={state === 'current' ? 'step' : undefined}
          className="group grid grid-cols-[1.75rem_minmax(0,1fr)] gap-x-3"
        >
          <div className="flex flex-col items-center">
            <span
              className={classNames(
                'flex size-7 shrink-0 items-center justify-center rounded-full border text-label',
                looks[state].look,
              )}
            >
              {state === 'done' ? <Check size={14} aria-hidden /> : place + 1}
              <span className="sr-only"> {looks[state].word}</span>
            </span>
            <span aria-hidden className="w-px flex-1 bg-line group-last:hidden" />
          </div>
          <div className="space-y-3 pb-6">
            <div className="flex min-h-7 flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <div
                className={classNames(
                  'min-w-0 flex-1 basis-80',
                  state === 'later' ? 'text-ink-2' : 'font-medium',
                )}
              >
                {title}
              </div>
              {aside}
            </div>
            {children}
          </div>
        </li>
      ))}
    </ol>
  )
}
