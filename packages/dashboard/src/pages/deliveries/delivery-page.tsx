import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function DeliveryPage() {
  usePageTitle('Delivery')
  return <PageHeader title="Delivery" />
}
