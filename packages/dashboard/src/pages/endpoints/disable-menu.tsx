import { useNavigate } from '@tanstack/react-router'
import { ChevronDown } from 'lucide-react'
import { useSession } from '../../app/session.ts'
import { Menu } from '../../components/menu.tsx'
import { disableWords } from '../../words/disable-words.ts'

export interface DisableMenuProps {
  readonly webhookId: string
  readonly busy: boolean
  readonly onDisable: () => void
}

/** Disables or deletes an endpoint, after saying what follows. */
export function DisableMenu({ webhookId: id, busy, onDisable }: DisableMenuProps) {
  const { retention_days: days } = useSession()
  const navigate = useNavigate()
  return (
    <Menu
      label="Disable"
      trigger={
        <>
          {busy ? 'Disabling' : 'Disable'} <ChevronDown size={16} aria-hidden />
        </>
      }
      items={[
        { label: 'Disable now', hint: disableWords(days), onSelect: onDisable },
        {
          label: 'Delete endpoint …',
          danger: true,
          onSelect: () => void navigate({ to: '/endpoints/$id/settings', params: { id }, hash: 'delete' }),
        },
      ]}
    />
  )
}
