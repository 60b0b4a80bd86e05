import { OctagonX } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'

/** Marks an account that may not send emails. */
export function SuspendedBadge() {
  return (
    <Badge icon={OctagonX} look="bg-exhausted-tint text-exhausted">
      Suspended
    </Badge>
  )
}
