import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'

export function SettingsPage() {
  usePageTitle('Settings')
  return <PageHeader title="Settings" />
}
