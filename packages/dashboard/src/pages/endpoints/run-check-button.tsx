import { useNavigate } from '@tanstack/react-router'
import { Stethoscope } from 'lucide-react'
import { Button } from '../../components/button.tsx'
import { useEndpointChecks } from './use-endpoint-checks.ts'

/** Starts a check and opens the page with its findings. */
export function RunCheckButton({ webhookId }: { webhookId: string }) {
  const navigate = useNavigate()
  const checks = useEndpointChecks(webhookId)
  return (
    <Button
      icon={<Stethoscope size={16} aria-hidden />}
      busy={checks.isRunning}
      onClick={() => {
        checks.run()
        void navigate({ to: '/endpoints/$id/check', params: { id: webhookId } })
      }}
    >
      {checks.isRunning ? 'Checking' : 'Run check'}
    </Button>
  )
}
