import { shortId } from '../format/short-id.ts'
import { CopyButton } from './copy-button.tsx'

/** A shortened id; whole on hover, for screen readers, and when copied. */
export function Id({ id, what = 'id', copy = true }: { id: string; what?: string; copy?: boolean }) {
  return (
    <span className="inline-flex items-center gap-0.5">
      <code title={id} aria-label={id} data-copy-source={id} className="whitespace-nowrap">
        {shortId(id)}
      </code>
      {copy && <CopyButton text={id} what={what} />}
    </span>
  )
}
