import { Fragment } from 'react'
import { sidebarGroups } from '../app/sidebar-groups.ts'
import { useSession } from '../app/session.ts'

/** Every shortcut of the dashboard. */
export function ShortcutList() {
  const session = useSession()
  const ways = sidebarGroups(session)
    .flatMap(group => group.items)
    .map(({ goKey, label }) => ({ keys: ['g', goKey], does: `Go to ${label}` }))
  const all = [...(session.kind === 'operator' ? [] : ofAccounts), ...everywhere, ...ways]
  return (
    <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-1.5">
      {all.map(({ keys, does }) => (
        <Fragment key={does}>
          <dt className="space-x-1">
            {keys.map(key => (
              <kbd key={key} className="rounded-small border border-control bg-surface px-1.5 py-0.5">
                {key}
              </kbd>
            ))}
          </dt>
          <dd>{does}</dd>
        </Fragment>
      ))}
    </dl>
  )
}

const ofAccounts = [
  { keys: ['/'], does: 'Search (also Ctrl K or ⌘ K)' },
  { keys: ['r'], does: 'On a delivery: retry it now' },
]

const everywhere = [
  { keys: ['j'], does: 'Next row of a list' },
  { keys: ['k'], does: 'Previous row of a list' },
  { keys: ['?'], does: 'Show these shortcuts' },
]
