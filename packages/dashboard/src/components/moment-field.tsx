import { canonicalTimestamp } from '@posthorn/contract/plain'
import { useId } from 'react'
import { MomentInput } from './moment-input.tsx'

export interface MomentFieldProps {
  readonly label: string
  /** RFC 3339. */
  readonly at: string | undefined
  readonly onChange: (at: string | undefined) => void
}

/** An exact time beside its label. */
export function MomentField({ label, at, onChange }: MomentFieldProps) {
  const id = useId()
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2 gap-y-1">
      <label htmlFor={id} className="min-w-10">
        {label}
      </label>
      <MomentInput
        id={id}
        label={label}
        atMs={at === undefined ? null : Date.parse(canonicalTimestamp(at))}
        onChange={atMs => onChange(atMs === null ? undefined : new Date(atMs).toISOString())}
      />
    </span>
  )
}
