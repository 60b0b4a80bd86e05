import { useRef } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { isRefused, type UrlKnowledge } from '../../api/use-url-check.ts'
import { TextArea, TextField } from '../../components/field.tsx'
import { type EndpointDraft, draftProblems } from './endpoint-draft.ts'
import { EventChoice } from './event-choice.tsx'
import { HeaderFields } from './header-fields.tsx'
import { HostNote } from '../../components/host-note.tsx'
import { UrlFindings } from './url-findings.tsx'

export interface EndpointFieldsProps {
  readonly draft: EndpointDraft
  readonly knowledge: UrlKnowledge
  /** The service's error about the sent draft. */
  readonly problem: Error | null
  readonly onChange: (changed: Partial<EndpointDraft>) => void
}

/** The URL and the event types. */
export function EndpointFields({ draft, knowledge, problem, onChange }: EndpointFieldsProps) {
  const urlInput = useRef<HTMLInputElement>(null)
  return (
    <>
      <div className="space-y-1.5">
        <TextField
          ref={urlInput}
          label="URL"
          type="url"
          name="url"
          required
          mono
          placeholder="https://api.example.com/webhooks/mail"
          spellCheck={false}
          autoComplete="off"
          value={draft.url}
          error={urlProblem(knowledge) ?? fieldProblem(problem, '/url')}
          onChange={({ target }) => onChange({ url: target.value })}
        />
        <HostNote url={draft.url} />
        <UrlFindings
          url={draft.url}
          knowledge={knowledge}
          onUse={url => {
            onChange({ url })
            // the button disappears with its finding
            urlInput.current?.focus()
          }}
        />
      </div>
      <EventChoice
        draft={draft}
        error={draftProblems(draft).events ?? fieldProblem(problem, '/events')}
        onChange={onChange}
      />
      <TextField
        label="Description"
        hint="The name of the endpoint on these pages and in notices."
        name="description"
        maxLength={1000}
        placeholder="CRM"
        autoComplete="off"
        value={draft.description}
        error={fieldProblem(problem, '/description')}
        onChange={({ target }) => onChange({ description: target.value })}
      />
    </>
  )
}

/** The fields that few endpoints need. */
export function MoreEndpointFields({ draft, problem, onChange }: Omit<EndpointFieldsProps, 'knowledge'>) {
  return (
    <>
      <HeaderFields
        headers={draft.headers}
        error={fieldProblem(problem, '/headers')}
        onChange={headers => onChange({ headers })}
      />
      <TextArea
        label="Only emails with one of these tags"
        hint="One on each line, such as kind=receipt. Without tags, the endpoint gets the events of all emails."
        name="tags"
        rows={2}
        mono
        spellCheck={false}
        value={draft.tags}
        error={fieldProblem(problem, '/tags')}
        onChange={({ target }) => onChange({ tags: target.value })}
      />
      <TextArea
        label="Only emails from these domains"
        hint="One on each line, such as acme.example."
        name="sending-domains"
        rows={2}
        mono
        spellCheck={false}
        value={draft.sendingDomains}
        error={fieldProblem(problem, '/sending_domains')}
        onChange={({ target }) => onChange({ sendingDomains: target.value })}
      />
      <div className="max-w-60">
        <TextField
          label="Rate limit, events per second"
          name="rate-limit"
          inputMode="numeric"
          placeholder="no limit"
          autoComplete="off"
          value={draft.rateLimit}
          error={draftProblems(draft).rateLimit ?? fieldProblem(problem, '/rate_limit_per_second')}
          onChange={({ target }) => onChange({ rateLimit: target.value })}
        />
      </div>
      <label className="flex items-center gap-2 pointer-coarse:min-h-11">
        <input
          type="checkbox"
          role="switch"
          checked={draft.standardWebhooks}
          aria-checked={draft.standardWebhooks}
          onChange={({ target }) => onChange({ standardWebhooks: target.checked })}
        />
        <span>
          Also send the headers of Standard Webhooks (<code>webhook-id</code>, <code>webhook-timestamp</code>,{' '}
          <code>webhook-signature</code>)
        </span>
      </label>
    </>
  )
}

/** Whether one of the fields already shows the error. */
export function isSaidAtField(problem: Error | null): boolean {
  return problem instanceof ApiProblem && fieldPaths.some(path => problem.field(path) !== null)
}

const fieldPaths = [
  '/url',
  '/events',
  '/description',
  '/headers',
  '/rate_limit_per_second',
  '/tags',
  '/sending_domains',
]

function fieldProblem(problem: Error | null, path: string): string | null {
  return problem instanceof ApiProblem ? problem.field(path) : null
}

function urlProblem(knowledge: UrlKnowledge): string | null {
  return knowledge.kind === 'refused' && isRefused(knowledge) ? knowledge.why : null
}
