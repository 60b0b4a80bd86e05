import { useRouter } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { Button } from '../components/button.tsx'
import { Dialog } from '../components/dialog.tsx'
import { ShortcutList } from '../components/shortcut-list.tsx'
import { useSession } from './session.ts'
import { useShortcuts } from './shortcuts.ts'
import { sidebarGroups } from './sidebar-groups.ts'

/** The shortcuts of every page: `g` and a letter open a page, `?` lists all shortcuts. */
export function ShortcutKeys() {
  const session = useSession()
  const router = useRouter()
  const [isListed, setIsListed] = useState(false)
  const actions = useMemo(() => {
    const ways = sidebarGroups(session)
      .flatMap(group => group.items)
      .map(({ goKey, to }) => [`g ${goKey}`, () => void router.navigate({ to })])
    return { ...Object.fromEntries(ways), '?': () => setIsListed(true) }
  }, [session, router])
  useShortcuts(actions)
  if (!isListed) return null
  const close = (): void => setIsListed(false)
  return (
    <Dialog title="Shortcuts" onClose={close} actions={<Button onClick={close}>Close</Button>}>
      <p className="text-ink-2">Shortcuts pause while you type. You can turn them off in Settings.</p>
      <ShortcutList />
    </Dialog>
  )
}
