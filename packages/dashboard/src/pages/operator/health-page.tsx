import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function OperatorHealthPage() {
  usePageTitle('Health')
  return <PageHeader title="Health" />
}
