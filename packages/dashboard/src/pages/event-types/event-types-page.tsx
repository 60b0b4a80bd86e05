import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function EventTypesPage() {
  usePageTitle('Event types')
  return <PageHeader title="Event types" />
}
