import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function EndpointDeliveriesPage() {
  usePageTitle('Endpoint')
  return <PageHeader title="Endpoint" />
}
