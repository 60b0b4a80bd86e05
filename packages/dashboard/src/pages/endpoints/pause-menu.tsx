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

/** Pauses or deletes an endpoint, after saying what follows. */
export function PauseMenu({ webhookId: id, busy, onPause }: PauseMenuProps) {
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
        { label: 'Pause now', hint: pauseWords(days), onSelect: onPause },
        {
          label: 'Delete endpoint …',
          danger: true,
          onSelect: () => void navigate({ to: '/endpoints/$id/settings', params: { id }, hash: 'delete' }),
        },
      ]}
    />
  )
}
