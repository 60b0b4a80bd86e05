import type { Session } from '@posthorn/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'

/** Signs in as the operator that the proxy in front names; nothing if it names none. */
export function ProxySignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const { call } = useApi()
  const { data } = useQuery({
    queryKey: ['proxy-operator'],
    queryFn: async ({ signal }) => await call('getProxyOperator', { signal }),
    retry: false,
  })
  const signIn = useMutation({
    mutationFn: async () => await call('createProxySession', {}),
    onSuccess: onSignedIn,
  })
  if (data?.operator == null) return null
  return (
    <div className="space-y-2">
      <Button kind="primary" className="w-full" busy={signIn.isPending} onClick={() => signIn.mutate()}>
        Sign in as {data.operator.name}
      </Button>
      <ActionProblem error={signIn.error} />
    </div>
  )
}
