import { useState } from 'react'
import { ApiProblem } from '../../api/problem.ts'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { problemWords } from '../../words/problem-words.ts'
import type { NoticeWebhookState } from './use-notice-webhook.ts'

export interface NoticeFormProps {
  /** Where notices go now; nothing: nowhere. */
  readonly url: string
  readonly save: NoticeWebhookState['save']
}

/** Sets or changes the URL. The secret stays the same when it changes. */
export function NoticeForm({ url, save }: NoticeFormProps) {
  const [text, setText] = useState(url)
  const isNew = url === ''
  return (
    <form
      className="space-y-3"
      onSubmit={event => {
        event.preventDefault()
        if (!save.isPending) save.mutate(text.trim())
      }}
    >
      <TextField
        label={isNew ? 'Send notices to' : 'Send them elsewhere'}
        hint={
          isNew ? 'We show the secret that signs them once, after you save.' : 'The secret stays the same.'
        }
        type="url"
        name="notice-url"
        required
        mono
        placeholder="https://ops.example.com/posthorn"
        value={text}
        error={save.error === null ? null : errorWords(save.error)}
        onChange={event => {
          setText(event.target.value)
          if (save.error !== null) save.reset()
        }}
      />
      <Button
        type="submit"
        kind={isNew ? 'primary' : 'plain'}
        busy={save.isPending}
        disabled={text.trim() === url}
      >
        {isNew ? 'Send notices there' : 'Change the URL'}
      </Button>
    </form>
  )
}

function errorWords(error: Error): string {
  return (error instanceof ApiProblem ? error.field('/url') : null) ?? problemWords(error)
}
