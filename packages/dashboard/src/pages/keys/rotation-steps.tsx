import type { SigningKey, Webhook } from '@posthorn/contract'
import { Button } from '../../components/button.tsx'
import { Procedure, type ProcedureStep } from '../../components/procedure.tsx'
import { Time } from '../../components/time.tsx'
import { AcceptStep } from './accept-step.tsx'
import { ChooseReplacement } from './choose-replacement.tsx'
import { FreshSecret } from './fresh-secret.tsx'
import type { FreshlyMade } from './freshly-made.ts'
import { proofOf } from './rotation.ts'
import { RotationProblem } from './rotation-problem.tsx'
import { secretStart } from './secret-start.ts'
import type { ByWhom } from './use-key-actors.ts'

export interface RotationView {
  readonly webhook: Webhook
  readonly staged: readonly SigningKey[]
  /** The replacement that the steps are about. */
  readonly replacement: SigningKey | null
  readonly fresh: FreshlyMade | null
  /** A replacement just became primary, so the next one is not suggested. */
  readonly isDone: boolean
  readonly byWhom: ByWhom
  readonly mayChange: boolean
  readonly isBusy: boolean
  readonly error: Error | null
  readonly onMake: () => void
  readonly onSaved: () => void
  readonly onHide: () => void
  readonly onChoose: (key: SigningKey) => void
  readonly onDiscard: () => void
  readonly onPromote: (key: SigningKey) => void
}

/** The three steps in their current state. */
export function RotationSteps(view: RotationView) {
  return <Procedure label="Steps to replace the signing secret" steps={stepsOf(view)} />
}

function stepsOf(view: RotationView): readonly ProcedureStep[] {
  const { replacement } = view
  const fresh = view.fresh?.keyId === replacement?.key_id ? view.fresh : null
  if (replacement === null) return [toMake(view), acceptLater, promoteLater]
  if (fresh !== null && !fresh.isSaved) return [toSave(view, fresh), acceptLater, promoteLater]
  return [made(view, replacement, fresh), accept(view, replacement), promote(view, replacement)]
}

function toMake({ mayChange, isDone, isBusy, error, onMake }: RotationView): ProcedureStep {
  return {
    state: 'current',
    title: 'Create a replacement.',
    children: (
      <>
        <p>Nothing changes for your receiver: the current secret keeps signing.</p>
        {mayChange && (
          <Button kind={isDone ? 'plain' : 'primary'} busy={isBusy} onClick={onMake}>
            Generate replacement secret
          </Button>
        )}
        <RotationProblem error={error} />
      </>
    ),
  }
}

function toSave({ onSaved, onHide }: RotationView, { secret }: FreshlyMade): ProcedureStep {
  return {
    state: 'current',
    title: 'Save the replacement.',
    children: <FreshSecret isSaved={false} {...{ secret, onSaved, onHide }} />,
  }
}

function made(view: RotationView, replacement: SigningKey, fresh: FreshlyMade | null): ProcedureStep {
  const { staged, byWhom, mayChange, isBusy, onSaved, onHide, onChoose, onDiscard } = view
  return {
    state: 'done',
    title: (
      <>
        Replacement created. <code>{secretStart(replacement)}</code>, shown once{' '}
        <Time at={replacement.created_at} relative />
        {byWhom(replacement, 'staged')}.
      </>
    ),
    aside: mayChange && (
      <span className="flex flex-wrap items-center gap-2 text-ink-2">
        Lost it?
        <Button busy={isBusy} onClick={onDiscard}>
          Discard and create another
        </Button>
      </span>
    ),
    children: (
      <>
        {fresh !== null && <FreshSecret secret={fresh.secret} isSaved {...{ onSaved, onHide }} />}
        {staged.length > 1 && <ChooseReplacement chosen={replacement} {...{ staged, byWhom, onChoose }} />}
      </>
    ),
  }
}

const acceptTitle = 'Let your receiver accept both secrets.'
const acceptLater: ProcedureStep = { state: 'later', title: acceptTitle }

function accept({ webhook }: RotationView, replacement: SigningKey): ProcedureStep {
  return {
    state: proofOf(replacement) === 'all' ? 'done' : 'current',
    title: acceptTitle,
    children: <AcceptStep webhook={webhook} replacement={replacement} />,
  }
}

const promoteTitle =
  'Make the replacement primary. From then on only the replacement signs, and the old secret is erased at once.'
const promoteLater: ProcedureStep = { state: 'later', title: promoteTitle }

function promote({ mayChange, isBusy, error, onPromote }: RotationView, key: SigningKey): ProcedureStep {
  const isProven = proofOf(key) === 'all'
  return {
    state: isProven ? 'current' : 'later',
    title: promoteTitle,
    aside: mayChange && (
      <Button kind={isProven ? 'primary' : 'plain'} busy={isBusy} onClick={() => onPromote(key)}>
        Make primary
      </Button>
    ),
    children: <RotationProblem error={error} />,
  }
}
