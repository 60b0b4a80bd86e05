import { useMayChange, useSession } from '../../app/session.ts'
import { Button } from '../../components/button.tsx'
import { ButtonLink } from '../../components/button-link.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Procedure, type ProcedureStep } from '../../components/procedure.tsx'
import { TextLink } from '../../components/text-link.tsx'
import type { FirstStepsDone } from './use-first-steps.ts'

/** The start page of an account before its first event is delivered: three steps, each with a mark once it is done. */
export function FirstSteps({ done, onLeave }: { done: FirstStepsDone; onLeave: () => void }) {
  return (
    <section aria-label="First steps" className="max-w-160 space-y-5 py-4">
      {!done.hasEndpoint && (
        <p className="text-section text-ink-2">
          No endpoint yet. Add an HTTPS URL, and we send it every bounce, delivery, failure and unsubscribe.
        </p>
      )}
      <Procedure label="Three steps to the first event" steps={useSteps(done)} />
      {done.hasEvent === true && <Button onClick={onLeave}>Show the overview</Button>}
    </section>
  )
}

function useSteps({ hasEndpoint, hasEvent, hasDelivered }: FirstStepsDone): ProcedureStep[] {
  const mayChange = useMayChange()
  const mayReport = useSession().scopes.includes('ingest')
  const stateOf = (isDone: boolean | undefined, isNext: boolean): ProcedureStep['state'] =>
    isDone === true ? 'done' : isNext ? 'current' : 'later'
  return [
    {
      state: stateOf(hasEndpoint, true),
      title: 'Create an endpoint',
      children: !hasEndpoint && <CreateEndpoint mayChange={mayChange} />,
    },
    {
      state: stateOf(hasEvent, hasEndpoint),
      title: 'Report an outcome',
      children: hasEvent !== true && hasEndpoint && <ReportOutcome mayReport={mayReport} />,
    },
    {
      state: stateOf(hasDelivered, hasEvent === true),
      title: 'See it delivered',
      children: hasEvent === true && <SeeDelivery hasDelivered={hasDelivered === true} />,
    },
  ]
}

function CreateEndpoint({ mayChange }: { mayChange: boolean }) {
  if (!mayChange) {
    return (
      <p className="text-ink-2">
        This key may only read. Somebody with the send scope can add the first endpoint.
      </p>
    )
  }
  return (
    <>
      <p className="text-ink-2">
        Enter its HTTPS URL and save the signing secret. Your server uses it to verify that requests come from
        us.
      </p>
      <ButtonLink to="/endpoints/new" kind="primary">
        Add endpoint
      </ButtonLink>
    </>
  )
}

function ReportOutcome({ mayReport }: { mayReport: boolean }) {
  return (
    <>
      {mayReport && (
        <CodeBlock code={reportCommand(location.origin)} what="Command that reports an outcome" />
      )}
      <p className="text-ink-2">
        {mayReport ? 'Or open ' : 'Open '}
        <TextLink to="/endpoints">the endpoint</TextLink> and send it a test event.
      </p>
    </>
  )
}

function SeeDelivery({ hasDelivered }: { hasDelivered: boolean }) {
  return (
    <p className="text-ink-2">
      {hasDelivered ? 'Your server answered 2xx. ' : 'We send it until your server answers 2xx. '}
      <TextLink to="/deliveries">All deliveries</TextLink>
    </p>
  )
}

function reportCommand(origin: string): string {
  return `curl ${origin}/v1/outcomes \\
  -H "Authorization: Bearer $POSTHORN_API_KEY" -H 'Content-Type: application/json' \\
  -d '{"type":"email.delivered","data":{"email_id":"em_1","to":["ada@example.com"]}}'`
}
