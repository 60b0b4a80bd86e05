import { PageHeader } from '../../components/page-header.tsx'
import { usePageTitle } from '../../app/page-title.ts'

export function OverviewPage() {
  usePageTitle('Overview')
  return <PageHeader title="Overview" />
}
