import { classNames } from './class-names.ts'

export type ButtonKind = 'primary' | 'plain' | 'quiet' | 'danger'

const looks: Record<ButtonKind, string> = {
  primary: 'border-brass-edge bg-brass text-on-brass font-medium hover:bg-brass-hover',
  plain: 'border-control bg-surface text-ink hover:bg-sunken',
  quiet: 'border-transparent text-ink-2 hover:bg-sunken hover:text-ink',
  danger: 'border-exhausted bg-surface text-exhausted hover:bg-exhausted-tint',
}

/** The classes of a button, also for links that look like one. */
export function buttonLook(kind: ButtonKind, extra?: string): string {
  return classNames(
    'inline-flex min-h-8 items-center justify-center gap-1.5 rounded border px-3 py-1 text-body whitespace-nowrap no-underline transition-colors duration-120 pointer-coarse:min-h-11 disabled:opacity-60',
    looks[kind],
    extra,
  )
}
