import type { System } from '@posthorn/contract'
import type { RowColumn } from '../../components/row.tsx'
import { RowTable } from '../../components/row-table.tsx'

type Setting = System['settings'][number]

const idOf = ({ name }: Setting): string => name

const sourceWords: Record<Setting['source'], string> = {
  default: 'Default',
  environment: 'Environment',
  file: 'File',
}

/** The settings in force and their sources. Secrets never leave the server. */
export function SettingsInForce({ settings }: { settings: System['settings'] }) {
  const set = settings.filter(({ source }) => source === 'environment').length
  return (
    <section aria-labelledby="settings" className="space-y-2">
      <h2 id="settings">Settings in force</h2>
      <p className="text-ink-2">
        {set} of {settings.length} are set in the environment. Settings of the process that answered. Secrets
        are shown as <code>***</code>.
      </p>
      <RowTable label="Settings in force" columns={columns} pages={[settings]} idOf={idOf} />
    </section>
  )
}

const columns: readonly RowColumn<Setting>[] = [
  {
    name: 'Name',
    width: 'minmax(0, 1.2fr)',
    wraps: true,
    cell: ({ name }) => <code className="break-all">{name}</code>,
  },
  {
    name: 'Value',
    isLabelled: true,
    width: 'minmax(0, 1.5fr)',
    wraps: true,
    cell: ({ value }) => <code className="break-all">{value === '' ? '—' : value}</code>,
  },
  {
    name: 'From',
    isLabelled: true,
    width: '8rem',
    cell: ({ source }) => (
      <span className={source === 'default' ? 'text-ink-3' : 'font-medium'}>{sourceWords[source]}</span>
    ),
  },
]
