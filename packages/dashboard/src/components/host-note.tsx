import { TriangleAlert } from 'lucide-react'
import { hostSpellings } from '../format/host-spellings.ts'

/** Shows a non-ASCII host in both spellings, so that a look-alike is visible. */
export function HostNote({ url }: { url: string }) {
  const spellings = hostSpellings(url)
  if (spellings === null) return null
  return (
    <p className="flex items-start gap-2">
      <TriangleAlert
        size={16}
        role="img"
        aria-label="Check the host"
        className="mt-0.5 shrink-0 text-failed"
      />
      <span>
        This host contains letters other than a to z: <code className="break-all">{spellings.unicode}</code> ={' '}
        <code className="break-all">{spellings.ascii}</code>. Is this the host you mean?
      </span>
    </p>
  )
}
