import { useEffect, useRef, useState } from 'react'
import { useSilence } from '../../api/use-silence.ts'
import { useSession } from '../../app/session.ts'
import { usePageTitle } from '../../app/page-title.ts'
import { Button } from '../../components/button.tsx'
import { CheckList } from '../../components/check-list.tsx'
import { TextArea } from '../../components/field.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { BodyFields } from './body-fields.tsx'
import { DebuggerVerdict } from './debugger-verdict.tsx'
import { ExplanationPanel } from './explanation-panel.tsx'
import { emptyFields, type Fields, holdContent } from './fields.ts'
import type { KnownKey } from './mistakes/known-key.ts'
import { NowField } from './now-field.tsx'
import type { Rule } from './rules/rule.ts'
import { SecretFields } from './secret-fields.tsx'
import { useDiagnosis } from './use-diagnosis.ts'
import type { SentRequest } from './use-sent-request.ts'

export interface SignatureDebuggerProps {
  /** The initial values from a delivery. */
  readonly sent: SentRequest | null
  /** Null: the keys could not be loaded. */
  readonly known: readonly KnownKey[] | null
}

/**
 * Checks the fields while somebody types. After the first character the page sends no requests, and leaving it
 * clears the fields.
 */
export function SignatureDebugger({ sent, known }: SignatureDebuggerProps) {
  const [fields, setFields] = useState<Fields>(() => fieldsOf(sent))
  const signatureHeader = `${useSession().header_prefix}-Signature`
  const change = (changed: Partial<Fields>): void => setFields(before => ({ ...before, ...changed }))
  const { rules, owners, explanation, webhookId } = useDiagnosis(fields, sent, known)
  const isFilled = holdContent(fields)
  const form = useRef<HTMLDivElement>(null)
  useSilence(isFilled)
  usePageTitle(titleOf(rules.map(rule => rule.state)))
  useEffect(() => {
    // the browser may keep the page in its back-forward cache
    const forget = (): void => setFields(emptyFields)
    addEventListener('pagehide', forget)
    return () => removeEventListener('pagehide', forget)
  }, [])
  return (
    <>
      <PageHeader
        title="Signature debugger"
        actions={
          isFilled && (
            <Button
              onClick={() => {
                setFields(emptyFields)
                // the button disappears with the content
                form.current?.querySelector('textarea')?.focus()
              }}
            >
              Forget everything
            </Button>
          )
        }
      />
      <p className="mb-4 text-ink-2">
        Nothing you paste leaves this page; it forgets everything when you leave.
      </p>
      <div className="grid gap-x-8 gap-y-6 desk:grid-cols-2">
        <div ref={form} className="min-w-0 space-y-4">
          <TextArea
            label="Header"
            hint={`The value of ${signatureHeader}, or the whole line.`}
            placeholder="t=1795230842,v1=7312…"
            rows={3}
            value={fields.header}
            mono
            autoComplete="off"
            spellCheck={false}
            onChange={event => change({ header: event.target.value })}
          />
          <SecretFields
            secrets={fields.secrets}
            owners={owners.map(owner => owner?.words ?? null)}
            onChange={secrets => change({ secrets })}
          />
          <BodyFields fields={fields} onChange={change} />
          <NowField
            atMs={fields.nowMs}
            meaning={isStartOf(sent, fields) ? 'When the last attempt started' : 'A moment you chose'}
            onChange={nowMs => change({ nowMs })}
          />
        </div>
        <div className="min-w-0 space-y-4">
          <div role="status" aria-atomic>
            <DebuggerVerdict rules={rules} isSent={webhookId !== null} />
          </div>
          <RuleList rules={rules} />
          {explanation !== null && (
            <ExplanationPanel
              explanation={explanation === 'searching' ? null : explanation}
              webhookId={webhookId}
            />
          )}
        </div>
      </div>
    </>
  )
}

function fieldsOf(sent: SentRequest | null): Fields {
  return sent === null
    ? emptyFields
    : { ...emptyFields, header: sent.header, text: sent.body, nowMs: Date.parse(sent.startedAt) }
}

function isStartOf(sent: SentRequest | null, { nowMs }: Fields): boolean {
  return sent !== null && nowMs === Date.parse(sent.startedAt)
}

function titleOf(states: readonly string[]): string {
  const name = 'Signature debugger'
  const broken = states.indexOf('bad')
  if (broken !== -1) return `✗ Rule ${broken + 1} · ${name}`
  return states.length > 0 && !states.includes('unknown') ? `✓ Verified · ${name}` : name
}

/** The five rules of a signature, in the order of a receiver's checks. */
function RuleList({ rules }: { rules: readonly Rule[] }) {
  return (
    <CheckList
      label="Rules"
      items={rules.map(({ number, state, words }) => ({
        state,
        text: (
          <span className={state === 'unknown' ? 'text-ink-3' : undefined}>
            <span className="mr-1.5 text-ink-3">{number}</span>
            {words}
          </span>
        ),
      }))}
    />
  )
}
