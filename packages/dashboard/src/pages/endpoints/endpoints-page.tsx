import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function EndpointsPage() {
  usePageTitle('Endpoints')
  return <PageHeader title="Endpoints" />
}
