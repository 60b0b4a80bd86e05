import { CopyButton } from './copy-button.tsx'

export interface SecretOnceProps {
  readonly secret: string
  /** Its name in a word or two. */
  readonly what?: string
  readonly onCopied: () => void
}

/** A whole secret that wraps and can be selected. The caller drops it afterwards. */
export function SecretOnce({ secret, what = 'secret', onCopied }: SecretOnceProps) {
  return (
    <div className="flex flex-wrap items-start gap-2">
      <code
        data-copy-source
        className="min-w-0 flex-1 basis-72 rounded border border-control bg-sunken px-3 py-1.5 break-all select-all"
      >
        {secret}
      </code>
      <CopyButton text={secret} what={what} label="Copy" kind="primary" onCopied={onCopied} />
    </div>
  )
}
