import { type ReactNode, useId } from 'react'

export interface SegmentsProps<Value extends string> {
  /** The accessible name of the choice. */
  readonly label: string
  /** Null: none is chosen yet. */
  readonly value: Value | null
  readonly options: readonly { readonly value: Value; readonly label: ReactNode }[]
  readonly onChange: (value: Value) => void
}

/** A choice between a few values that applies at once: `1 h │ 24 h │ 7 d`. Radio buttons, so arrow keys work. */
export function Segments<Value extends string>({ label, value, options, onChange }: SegmentsProps<Value>) {
  const name = useId()
  return (
    <fieldset className="inline-flex min-h-8 max-w-full flex-wrap gap-px rounded border border-control bg-surface p-0.5">
      <legend className="sr-only">{label}</legend>
      {options.map(option => (
        <label
          key={option.value}
          className="relative flex cursor-pointer items-center rounded-small px-2.5 py-0.5 text-ink-2 has-checked:bg-selected has-checked:text-ink has-checked:shadow-[inset_0_-2px_0_var(--brass-edge)] has-focus-visible:outline-2 has-focus-visible:outline-ink pointer-coarse:py-2.5"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="sr-only"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
