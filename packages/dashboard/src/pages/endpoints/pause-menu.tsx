import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useSession } from '../../app/session.ts'
import { Menu } from '../../components/menu.tsx'
import { pauseWords } from '../../words/pause-words.ts'

export interface PauseMenuProps {
  readonly webhookId: string
  readonly busy: boolean
  readonly onPause: () => void
}

/** Stops an endpoint for a while, or for ever; says what follows before either. */
export function PauseMenu({ webhookId, busy, onPause }: PauseMenuProps) {
  const { retention_days: days } = useSession()
  const navigate = useNavigate()
  return (
    <Menu
      label="Pause"
      trigger={
        <>
          {busy ? 'Pausing' : 'Pause'} <ChevronDown size={16} aria-hidden />
        </>
      }
      items={[
        {
          label: (
            <span className="block max-w-72">
              <span className="block font-medium">Pause now</span>
              <span className="block text-label text-ink-2">{pauseWords(days)}</span>
            </span>
          ),
          onSelect: onPause,
        },
        {
          label: 'Delete endpoint …',
          danger: true,
          onSelect: () =>
            void navigate({ to: '/endpoints/$id/settings', params: { id: webhookId }, hash: 'delete' }),
        },
      ]}
    />
  )
}
