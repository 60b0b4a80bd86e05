import { useSession } from '../../app/session.ts'
import { Button, type ButtonProps } from '../../components/button.tsx'

/** A button for changes by operators; disabled, with the reason, for one who may only view. */
export function ChangeButton(props: ButtonProps) {
  const { role } = useSession()
  if (role !== 'view') return <Button {...props} />
  return (
    <Button {...props} disabled title="You may only view. An operator with the role change can do this." />
  )
}
