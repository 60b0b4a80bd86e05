import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function AuditLogPage() {
  usePageTitle('Audit log')
  return <PageHeader title="Audit log" />
}
