import { CopyButton } from './copy-button.tsx'

/** Code or raw text; wide lines scroll in their own box. */
export function CodeBlock({ code, what, label = 'Copy' }: { code: string; what: string; label?: string }) {
  return (
    <div className="flex items-start rounded border border-line bg-sunken max-wide:flex-col">
      <pre
        tabIndex={0}
        data-copy-source
        aria-label={what}
        className="min-w-0 flex-1 overflow-x-auto max-wide:w-full p-3 whitespace-pre"
      >
        {code}
      </pre>
      <div className="no-print m-1.5 shrink-0">
        <CopyButton text={code} what={what} label={label} />
      </div>
    </div>
  )
}
