import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function EventPage() {
  usePageTitle('Event')
  return <PageHeader title="Event" />
}
