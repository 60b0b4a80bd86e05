import { getRouteApi } from '@tanstack/react-router'
import { useMemo } from 'react'
import { usePageTitle } from '../../app/page-title.ts'
import { useMayChange } from '../../app/session.ts'
import { BodyView } from '../../components/body-view.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { TabLink, TabNav } from '../../components/tab-nav.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { FieldTable } from './field-table.tsx'
import { schemaFields } from './schema-fields.ts'
import { TryEventType } from './try-event-type.tsx'
import { useEventTypes } from './use-event-types.ts'

const route = getRouteApi('/signed-in/event-types/$type')

/** One event type: its meaning, its body, and how to try it. */
export function EventTypePage() {
  const { type } = route.useParams()
  usePageTitle(type)
  const mayChange = useMayChange()
  const types = useEventTypes()
  const info = types.data?.find(one => one.type === type)
  const fields = useMemo(() => (info === undefined ? [] : schemaFields(info.schema)), [info])
  return (
    <>
      <PageHeader
        trail={<TextLink to="/event-types">Event types</TextLink>}
        title={type}
        aside={info?.description}
      />
      {types.data !== undefined && (
        <TabNav label="Event types">
          {types.data.map(one => (
            <TabLink key={one.type} to="/event-types/$type" params={{ type: one.type }}>
              {one.type}
            </TabLink>
          ))}
        </TabNav>
      )}
      {types.error !== null && <Problem error={types.error} onRetry={() => void types.refetch()} />}
      {types.isPending && <Skeleton lines={8} />}
      {types.data !== undefined && info === undefined && (
        <p>There is no event type “{type}”. The tabs above show all types.</p>
      )}
      {info !== undefined && (
        <div className="space-y-8">
          <div className="grid gap-x-8 gap-y-6 desk:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
            <section className="min-w-0 space-y-2">
              <h2>Sample body</h2>
              <BodyView key={info.type} what="sample body" body={JSON.stringify(info.sample)} />
            </section>
            <div className="min-w-0 space-y-6">
              {mayChange && <TryEventType type={info.type} />}
              <section className="space-y-1">
                <h2>What was sent</h2>
                <p>
                  <TextLink to="/events" search={{ type: info.type }}>
                    Events of this type
                  </TextLink>
                  {' · '}
                  <TextLink to="/deliveries" search={{ type: info.type }}>
                    Their deliveries
                  </TextLink>
                </p>
              </section>
            </div>
          </div>
          <section className="space-y-2">
            <h2>Fields</h2>
            <p className="text-ink-2">
              We may add fields. We never remove these fields or change their meaning.
            </p>
            <FieldTable fields={fields} />
          </section>
        </div>
      )}
    </>
  )
}
