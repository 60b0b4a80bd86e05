import type { SigningKey, Webhook } from '@posthorn/contract'
import { CircleCheck } from 'lucide-react'
import { useRef, useState } from 'react'
import { announce } from '../../app/announce.ts'
import { useMayChange } from '../../app/session.ts'
import { Verdict } from '../../components/verdict.tsx'
import { DiscardDialog } from './discard-dialog.tsx'
import type { FreshlyMade } from './freshly-made.ts'
import { PromoteDialog } from './promote-dialog.tsx'
import { proofOf, type Rotation } from './rotation.ts'
import { RotationSteps } from './rotation-steps.tsx'
import { secretStart } from './secret-start.ts'
import type { ByWhom } from './use-key-actors.ts'
import { useRotationActions } from './use-rotation-actions.ts'

export interface RotationProcedureProps {
  readonly webhook: Webhook
  readonly rotation: Rotation
  readonly byWhom: ByWhom
}

/**
 * Replaces the signing secret in three steps, with any time between them. Its state comes from the service, so that
 * anybody can continue; only a new secret is known here alone.
 */
export function RotationProcedure({ webhook, rotation, byWhom }: RotationProcedureProps) {
  const mayChange = useMayChange()
  const actions = useRotationActions(webhook.id)
  const heading = useRef<HTMLHeadingElement>(null)
  const [fresh, setFresh] = useState<FreshlyMade | null>(null)
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [asked, setAsked] = useState<'discard' | 'promote' | null>(null)
  const [done, setDone] = useState<SigningKey | null>(null)
  // a refresh must not change the steps during an action
  const [held, setHeld] = useState<Rotation | null>(null)
  const { staged } = held ?? rotation
  const replacement = staged.find(key => key.key_id === chosenId) ?? staged[0] ?? null

  const holding = async (work: () => Promise<void>): Promise<void> => {
    setHeld(rotation)
    await work()
    setHeld(null)
    requestAnimationFrame(() => {
      // the focused element may have disappeared with its step
      if (document.activeElement === document.body) heading.current?.focus()
    })
  }
  const make = async (seen: number): Promise<void> => {
    const made = await actions.stage(seen)
    if (made === 'begun') announce('Somebody else has created a replacement already.')
    else if (made !== null && made.secret !== null) {
      setFresh({ keyId: made.key_id, secret: made.secret, isSaved: false })
      setChosenId(made.key_id)
      setDone(null)
    }
  }
  const discard = async (key: SigningKey, makeAnother: boolean): Promise<void> => {
    if (!(await actions.discard(key))) return
    if (fresh?.keyId === key.key_id) setFresh(null)
    setAsked(null)
    announce(`Discarded ${secretStart(key)}`)
    if (makeAnother) await make(staged.length - 1)
  }
  const promote = async (key: SigningKey): Promise<void> => {
    const promoted = await actions.promote(key)
    if (promoted === null) return
    setFresh(null)
    setAsked(null)
    setDone(promoted)
    announce(`Done. Only ${secretStart(promoted)} signs now.`)
  }
  const hide = async (): Promise<void> => setFresh(null)
  const ask = (what: 'discard' | 'promote'): void => {
    actions.clearError()
    setAsked(what)
  }
  return (
    <section className="space-y-4">
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h2 ref={heading} tabIndex={-1}>
          Replace the signing secret
        </h2>
        <span className="text-ink-2">You can stop after any step. Nothing breaks.</span>
      </div>
      {done !== null && (
        <Verdict
          tone="delivered"
          headline={
            <>
              <CircleCheck size={18} aria-hidden className="mr-2 inline text-delivered" />
              Done. Only {secretStart(done)} signs now. Remove the old secret from your receiver when you
              like.
            </>
          }
        />
      )}
      <RotationSteps
        {...{ webhook, staged, replacement, fresh, byWhom, mayChange }}
        isDone={done !== null}
        isBusy={actions.isBusy}
        error={asked === null ? actions.error : null}
        onMake={() => void holding(async () => await make(0))}
        onSaved={() => setFresh(before => before && { ...before, isSaved: true })}
        onHide={() => void holding(hide)}
        onChoose={key => setChosenId(key.key_id)}
        onDiscard={() => ask('discard')}
        onPromote={key =>
          proofOf(key) === 'all' ? void holding(async () => await promote(key)) : ask('promote')
        }
      />
      {asked === 'discard' && replacement !== null && (
        <DiscardDialog
          replacement={replacement}
          isBusy={actions.isBusy}
          error={actions.error}
          onDiscard={makeAnother => void holding(async () => await discard(replacement, makeAnother))}
          onCancel={() => setAsked(null)}
        />
      )}
      {asked === 'promote' && replacement !== null && (
        <PromoteDialog
          replacement={replacement}
          isBusy={actions.isBusy}
          error={actions.error}
          onPromote={() => void holding(async () => await promote(replacement))}
          onCancel={() => setAsked(null)}
        />
      )}
    </section>
  )
}
