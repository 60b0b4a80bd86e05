import { CopyButton } from './copy-button.tsx'

/** Code or raw text, always as text; wide lines scroll in their own box. */
export function CodeBlock({ code, what, label = 'Copy' }: { code: string; what: string; label?: string }) {
  return (
    <div className="relative rounded border border-line bg-sunken">
      <pre
        tabIndex={0}
        data-copy-source
        aria-label={what}
        className="overflow-x-auto p-3 pr-24 whitespace-pre"
      >
        {code}
      </pre>
      <div className="no-print absolute top-1.5 right-1.5">
        <CopyButton text={code} what={what} label={label} />
      </div>
    </div>
  )
}
