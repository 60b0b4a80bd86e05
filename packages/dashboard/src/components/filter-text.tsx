import { useId, useState } from 'react'

export interface FilterTextProps {
  readonly label: string
  readonly placeholder?: string
  readonly value: string | null | undefined
  readonly onChange: (value: string | null) => void
}

/** A typed filter that applies on Enter or when the field loses focus. */
export function FilterText({ label, placeholder, value, onChange }: FilterTextProps) {
  const id = useId()
  const [typed, setTyped] = useState<string | null>(null)
  const act = (): void => {
    setTyped(null)
    const wanted = typed?.trim() ?? ''
    if (typed !== null && wanted !== (value ?? '')) onChange(wanted === '' ? null : wanted)
  }
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1 in-[dialog]:flex">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        value={typed ?? value ?? ''}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={event => setTyped(event.target.value)}
        onBlur={act}
        onKeyDown={event => {
          if (event.key === 'Enter') act()
        }}
        className="w-44 rounded border border-control bg-surface min-h-8 px-2 in-[dialog]:w-full pointer-coarse:min-h-11"
      />
    </span>
  )
}
