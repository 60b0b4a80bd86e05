import { type ComponentProps, type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

const look =
  'block min-h-8 w-full rounded border border-control bg-surface px-3 py-1 text-body pointer-coarse:min-h-11 aria-invalid:border-exhausted'

interface FieldFrame {
  readonly label: string
  readonly hint?: ReactNode
  readonly error?: string | null | undefined
}

function Frame({ id, label, hint, error, children }: FieldFrame & { id: string; children: ReactNode }) {
  return (
    <div className="space-y-1">
      <label htmlFor={id} className="block font-medium">
        {label}
      </label>
      {children}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-label text-ink-3">
          {hint}
        </div>
      )}
      {typeof error === 'string' && (
        <p id={`${id}-error`} className="text-exhausted">
          {error}
        </p>
      )}
    </div>
  )
}

function described(id: string, { hint, error }: FieldFrame): string | undefined {
  const ids = classNames(hint !== undefined && `${id}-hint`, typeof error === 'string' && `${id}-error`)
  return ids === '' ? undefined : ids
}

export type TextFieldProps = FieldFrame & { mono?: boolean } & Omit<
    ComponentProps<'input'>,
    'id' | 'className'
  >

/** A labelled text field with the server's message about it. */
export function TextField({ label, hint, error, mono = false, ...input }: TextFieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <input
        {...input}
        id={id}
        aria-invalid={typeof error === 'string' || undefined}
        aria-describedby={described(id, { label, hint, error })}
        className={classNames(look, mono && 'font-mono text-code')}
      />
    </Frame>
  )
}

export type TextAreaProps = FieldFrame & { mono?: boolean } & Omit<
    ComponentProps<'textarea'>,
    'id' | 'className'
  >

/** A labelled text field with several lines. */
export function TextArea({ label, hint, error, mono = false, ...input }: TextAreaProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <textarea
        {...input}
        id={id}
        aria-invalid={typeof error === 'string' || undefined}
        aria-describedby={described(id, { label, hint, error })}
        className={classNames(look, mono && 'font-mono text-code')}
      />
    </Frame>
  )
}

export type SelectFieldProps = FieldFrame & Omit<ComponentProps<'select'>, 'id' | 'className'>

/** A labelled native select. */
export function SelectField({ label, hint, error, children, ...input }: SelectFieldProps) {
  const id = useId()
  return (
    <Frame id={id} label={label} hint={hint} error={error}>
      <select {...input} id={id} aria-describedby={described(id, { label, hint, error })} className={look}>
        {children}
      </select>
    </Frame>
  )
}
