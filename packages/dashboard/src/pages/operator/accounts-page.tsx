import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function AccountsPage() {
  usePageTitle('Accounts')
  return <PageHeader title="Accounts" />
}
