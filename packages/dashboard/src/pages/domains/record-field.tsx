import { CopyButton } from '../../components/copy-button.tsx'

export interface RecordFieldProps {
  readonly name: string
  readonly value: string
  /** The name of the copied text: `value of the DKIM key record`. */
  readonly what: string
}

/** One field of a DNS record: whole, wrapped, with a copy button. */
export function RecordField({ name, value, what }: RecordFieldProps) {
  return (
    <>
      <dt className="py-1 text-ink-3 max-wide:py-0">{name}</dt>
      <dd className="flex items-start gap-1">
        <code data-copy-source className="min-w-0 flex-1 rounded bg-sunken px-2 py-1 wrap-anywhere">
          {value}
        </code>
        <CopyButton text={value} what={what} />
      </dd>
    </>
  )
}
