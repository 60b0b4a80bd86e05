import { useState } from 'react'
import { useMayChange } from '../../app/session.ts'
import { ActionProblem } from '../../components/action-problem.tsx'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { Problem } from '../../components/problem.tsx'
import { Skeleton } from '../../components/skeleton.tsx'
import { fieldError } from '../../words/form-errors.ts'
import { problemWords } from '../../words/problem-words.ts'
import { type NoticeEmailState, useNoticeEmail } from './use-notice-email.ts'

/** The address that gets notices by email, for people without a server that could receive them. */
export function NoticeEmailSettings() {
  const state = useNoticeEmail()
  const mayChange = useMayChange()
  const { data, error, isPending, refetch } = state.current
  return (
    <section aria-labelledby="notices-by-mail" className="mt-10 max-w-180 space-y-3">
      <h2 id="notices-by-mail">Notices by email</h2>
      {error !== null && <Problem error={error} onRetry={() => void refetch()} />}
      {isPending && <Skeleton lines={2} />}
      {data !== undefined && (
        <p className="text-ink-2">
          {data === null ? (
            'We can also send these notices to your email address. Email notices are off.'
          ) : (
            <>
              We send the same notices as text to <bdi>{data.address}</bdi>.
            </>
          )}
        </p>
      )}
      {data !== undefined && mayChange && (
        <NoticeEmailForm key={data?.address ?? ''} address={data?.address ?? ''} state={state} />
      )}
    </section>
  )
}

function NoticeEmailForm({ address, state: { save, stop } }: { address: string; state: NoticeEmailState }) {
  const [text, setText] = useState(address)
  return (
    <form
      className="space-y-3"
      onSubmit={event => {
        event.preventDefault()
        if (!save.isPending) save.mutate(text.trim())
      }}
    >
      <TextField
        label="Send email notices to"
        type="email"
        name="notice-address"
        autoComplete="email"
        required
        placeholder="night-shift@example.com"
        value={text}
        error={save.error && (fieldError(save.error, '/address') ?? problemWords(save.error))}
        onChange={event => {
          setText(event.target.value)
          if (save.error !== null) save.reset()
        }}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={save.isPending} disabled={text.trim() === address}>
          {address === '' ? 'Send email notices' : 'Change address'}
        </Button>
        {address !== '' && (
          <Button kind="quiet" busy={stop.isPending} onClick={() => stop.mutate()}>
            Stop email notices
          </Button>
        )}
      </div>
      <ActionProblem error={stop.error} />
    </form>
  )
}
