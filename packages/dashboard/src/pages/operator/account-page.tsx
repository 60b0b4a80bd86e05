import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function AccountPage() {
  usePageTitle('Account')
  return <PageHeader title="Account" />
}
