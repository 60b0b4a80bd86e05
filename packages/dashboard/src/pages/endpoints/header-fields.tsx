import { Plus, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import type { HeaderDraft } from './endpoint-draft.ts'

export interface HeaderFieldsProps {
  readonly headers: readonly HeaderDraft[]
  readonly error: string | null
  readonly onChange: (headers: readonly HeaderDraft[]) => void
}

const headersMax = 20

/** Extra headers of every request. Stored values are never shown, only replaced. */
export function HeaderFields({ headers, error, onChange }: HeaderFieldsProps) {
  const list = useRef<HTMLFieldSetElement>(null)
  const addButton = useRef<HTMLButtonElement>(null)
  const [added, setAdded] = useState<number | null>(null)
  useEffect(
    () => list.current?.querySelector<HTMLElement>(`[data-header="${added}"] input`)?.focus(),
    [added],
  )
  const change = (key: number, changed: Partial<HeaderDraft>): void =>
    onChange(headers.map(header => (header.key === key ? { ...header, ...changed } : header)))
  const add = (): void => {
    const key = Math.max(-1, ...headers.map(header => header.key)) + 1
    onChange([...headers, { key, name: '', value: '', isKept: false }])
    setAdded(key)
  }
  const remove = (key: number): void => {
    onChange(headers.filter(header => header.key !== key))
    addButton.current?.focus()
  }
  return (
    <fieldset ref={list} className="space-y-2">
      <legend className="font-medium">Extra request headers</legend>
      <p className="text-label text-ink-3">
        For example, the key of a gateway. We store values encrypted and never show them again.
      </p>
      {headers.map(({ key, name, value, isKept }) => (
        <div key={key} data-header={key} className="flex flex-wrap items-end gap-2">
          <div className="min-w-0 flex-1 basis-40">
            <TextField
              label="Name"
              mono
              value={name}
              readOnly={isKept}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => change(key, { name: target.value })}
            />
          </div>
          <div className="min-w-0 flex-1 basis-40">
            <TextField
              label="Value"
              mono
              value={value}
              placeholder={isKept ? '***' : ''}
              spellCheck={false}
              autoComplete="off"
              onChange={({ target }) => change(key, { value: target.value })}
            />
          </div>
          <Button
            kind="quiet"
            aria-label={`Remove header ${name}`}
            icon={<Trash2 size={16} aria-hidden />}
            onClick={() => remove(key)}
          />
        </div>
      ))}
      {error !== null && <p className="text-exhausted">{error}</p>}
      <Button
        ref={addButton}
        icon={<Plus size={16} aria-hidden />}
        busy={headers.length >= headersMax}
        onClick={add}
      >
        Add header
      </Button>
    </fieldset>
  )
}
