import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function DeliveriesPage() {
  usePageTitle('Deliveries')
  return <PageHeader title="Deliveries" />
}
