import type { Session } from '@posthorn/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useApi } from '../../api/api-context.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { buttonLook } from '../../components/button-look.ts'

/** Signs in as the operator that the proxy in front names, or with the OpenID provider; nothing if there is neither. */
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
  if (data === undefined) return null
  const { operator, oidc_host: oidcHost } = data
  if (operator === null && oidcHost === null) return null
  return (
    <div className="space-y-2">
      {operator !== null && (
        <Button kind="primary" className="w-full" busy={signIn.isPending} onClick={() => signIn.mutate()}>
          Sign in as {operator.name}
        </Button>
      )}
      {oidcHost !== null && (
        <a href="/sign-in/oidc" className={buttonLook('primary', 'w-full')}>
          Sign in with {oidcHost}
        </a>
      )}
      <ActionProblem error={signIn.error} />
    </div>
  )
}
