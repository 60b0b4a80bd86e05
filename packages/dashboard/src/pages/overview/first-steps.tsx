import { useMayChange } from '../../app/session.ts'
import { ButtonLink } from '../../components/button-link.tsx'

const steps = [
  {
    title: 'Add your endpoint',
    text: 'Type its HTTPS URL. We check while you type whether we can reach it.',
  },
  {
    title: 'Save the signing secret',
    text: 'We show it once. Your server verifies with it that we are the sender.',
  },
  { title: 'Send a test event', text: 'Watch it arrive: Pending, then Delivered.' },
]

/** What an account sees that nobody listens for yet: the way to the first event, in three steps. */
export function FirstSteps() {
  const mayChange = useMayChange()
  return (
    <section aria-label="First steps" className="max-w-160 space-y-5 py-4">
      <p className="text-section text-ink-2">
        Nobody is listening yet. Add an HTTPS URL and we send it every bounce, delivery, failure and
        unsubscribe.
      </p>
      <ol className="space-y-3">
        {steps.map(({ title, text }, place) => (
          <li key={title} className="flex gap-3">
            <span
              aria-hidden
              className="flex size-7 shrink-0 items-center justify-center rounded-full border border-control text-ink-2"
            >
              {place + 1}
            </span>
            <div>
              <h2>{title}</h2>
              <p className="text-ink-2">{text}</p>
            </div>
          </li>
        ))}
      </ol>
      {mayChange ? (
        <ButtonLink to="/endpoints/new" kind="primary">
          Add endpoint
        </ButtonLink>
      ) : (
        <p className="text-ink-2">
          This key may only read. Somebody with the scope send can add the first endpoint.
        </p>
      )}
    </section>
  )
}
