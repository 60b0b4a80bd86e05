import { usePageTitle } from '../../app/page-title.ts'
import { PageHeader } from '../../components/page-header.tsx'
import { DeliveryList } from './delivery-list.tsx'

/** The latest deliveries of all endpoints. */
export function DeliveriesPage() {
  usePageTitle('Deliveries')
  return (
    <>
      <PageHeader title="Deliveries" />
      <DeliveryList />
    </>
  )
}
