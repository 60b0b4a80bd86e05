import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { auditFilters, type AuditFilters } from '../app/audit-filters.ts'
import { shortId } from '../format/short-id.ts'
import { auditKinds, isAuditKind } from '../words/audit-kinds.ts'
import { Button } from './button.tsx'
import { Segments } from './segments.tsx'
import { Time } from './time.tsx'
import { TimeFilter } from './time-filter.tsx'

export interface AuditFilterBarProps {
  readonly filters: AuditFilters
  readonly onChange: (filters: AuditFilters) => void
}

const options = [
  { value: '', label: 'All' },
  ...Object.entries(auditKinds).map(([value, label]) => ({ value, label })),
]

/** Filters for the audit log that apply at once; the active ones are shown as chips. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const { kind, target, since, until } = filters
  return (
    <div className="mb-3 flex flex-wrap items-center gap-2">
      <Segments
        label="Filter by kind of change"
        value={kind ?? ''}
        options={options}
        onChange={value =>
          onChange(isAuditKind(value) ? { ...filters, kind: value } : without(filters, 'kind'))
        }
      />
      <TimeFilter
        since={since}
        until={until}
        onChange={range => onChange(auditFilters({ ...filters, ...range }))}
      />
      {target !== undefined && (
        <Chip name="of" onRemove={() => onChange(without(filters, 'target'))}>
          {shortId(target)}
        </Chip>
      )}
      {since !== undefined && (
        <Chip name="since" onRemove={() => onChange(without(filters, 'since'))}>
          <Time at={since} />
        </Chip>
      )}
      {until !== undefined && (
        <Chip name="until" onRemove={() => onChange(without(filters, 'until'))}>
          <Time at={until} />
        </Chip>
      )}
    </div>
  )
}

function without(filters: AuditFilters, name: keyof AuditFilters): AuditFilters {
  const { [name]: _, ...others } = filters
  return others
}

function Chip({ name, onRemove, children }: { name: string; onRemove: () => void; children: ReactNode }) {
  return (
    <Button icon={<X size={14} aria-hidden />} title="Remove this filter" onClick={onRemove}>
      <span className="sr-only">Remove filter: </span>
      {name} {children}
    </Button>
  )
}
