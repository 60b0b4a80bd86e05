import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function CheckPage() {
  usePageTitle('Check')
  return <PageHeader title="Check" />
}
