import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function NewEndpointPage() {
  usePageTitle('Add an endpoint')
  return <PageHeader title="Add an endpoint" />
}
