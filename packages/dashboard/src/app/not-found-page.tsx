import { PageHeader } from '../components/page-header.tsx'
import { TextLink } from '../components/text-link.tsx'
import { usePageTitle } from './page-title.ts'

export function NotFoundPage() {
  usePageTitle('Not found')
  return (
    <div className="p-6">
      <PageHeader title="Not found" />
      <p>
        This page does not exist, or you have no access to it. <TextLink to="/">Overview</TextLink>
      </p>
    </div>
  )
}
