import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { useIsInSheet } from './filter-sheet.ts'
import { Popup } from './popup.tsx'

/** A filter behind a button with its name; open in the sheet of a phone. */
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
    <Popup
      label={label}
      isMarked={count > 0}
      className="min-w-48"
      trigger={
        <>
          {label}
          {count > 0 && ` (${count})`}
          <ChevronDown size={16} aria-hidden />
        </>
      }
    >
      {children}
    </Popup>
  )
}

export interface FilterChoicesProps<Value extends string> {
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  /** Separated by commas, as in the URL. */
  readonly chosen: string | undefined
  readonly onChange: (chosen: string | undefined) => void
}

/** A filter with several values; each tick applies at once. */
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
