import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import type { ReactNode } from 'react'
import { buttonLook } from './button-look.ts'
import { useIsInSheet } from './filter-sheet.ts'

/** A filter behind a button of its name; in the sheet of a phone it lies open. */
export function FilterMenu({
  label,
  count = 0,
  children,
}: {
  label: string
  count?: number
  children: ReactNode
}) {
  if (useIsInSheet()) {
    return (
      <fieldset>
        <legend className="mb-1 font-medium">{label}</legend>
        {children}
      </fieldset>
    )
  }
  return (
    <Popover.Root>
      <Popover.Trigger className={buttonLook('plain', count > 0 ? 'border-brass-edge' : '')}>
        {label}
        {count > 0 && ` (${count})`}
        <ChevronDown size={16} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="start"
          sideOffset={4}
          collisionPadding={16}
          aria-label={label}
          className="z-20 max-h-[70vh] min-w-48 overflow-y-auto rounded border border-line bg-surface p-3 shadow-float"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

export interface FilterChoicesProps<Value extends string> {
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  /** Separated by commas, as they stand in the address. */
  readonly chosen: string | undefined
  readonly onChange: (chosen: string | undefined) => void
}

/** Any of several values; each tick acts at once. */
export function FilterChoices<Value extends string>({
  options,
  chosen,
  onChange,
}: FilterChoicesProps<Value>) {
  const on = new Set(chosen?.split(',') ?? [])
  const toggle = (value: Value): void => {
    const wanted = options.map(option => option.value).filter(other => on.has(other) !== (other === value))
    onChange(wanted.length === 0 ? undefined : wanted.join(','))
  }
  return options.map(({ value, label }) => (
    <label key={value} className="flex min-h-7 items-center gap-2 pointer-coarse:min-h-11">
      <input type="checkbox" checked={on.has(value)} onChange={() => toggle(value)} />
      {label}
    </label>
  ))
}
