import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function EventsPage() {
  usePageTitle('Events')
  return <PageHeader title="Events" />
}
