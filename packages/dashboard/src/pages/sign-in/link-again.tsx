import type { Session } from '@posthorn/contract'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useApi } from '../../api/api-context.ts'
import { hostOrigin, isFramed } from '../../app/frame.ts'
import { sessionQuery } from '../../app/session-query.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { providerWords } from '../../words/provider-words.ts'

export interface LinkAgainProps {
  readonly session: Session
  readonly onClose: () => void
}

/** The end of a portal session, which only a new link can replace. */
export function LinkAgain({ session, onClose }: LinkAgainProps) {
  const api = useApi()
  const router = useRouter()
  const { refetch, isFetching } = useQuery({ ...sessionQuery(api), enabled: false })
  const provider = providerWords(session, isFramed() ? hostOrigin() : null)
  const goOn = async (): Promise<void> => {
    const { isSuccess } = await refetch()
    if (isSuccess) await router.invalidate()
  }
  return (
    <Dialog
      title="Your session ended"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Not now</Button>
          {!api.credentials.isEmbedded && (
            <Button kind="primary" busy={isFetching} onClick={() => void goOn()}>
              Continue
            </Button>
          )}
        </>
      }
    >
      {api.credentials.isEmbedded ? (
        <p>Reload the page around this one, or ask {provider} for a new link.</p>
      ) : (
        <p>
          Ask {provider} for a new link and open it in another tab. Then continue here. Your input is kept.
        </p>
      )}
    </Dialog>
  )
}
