import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function EventTypePage() {
  usePageTitle('Event type')
  return <PageHeader title="Event type" />
}
