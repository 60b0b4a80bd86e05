import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function SystemPage() {
  usePageTitle('System')
  return <PageHeader title="System" />
}
