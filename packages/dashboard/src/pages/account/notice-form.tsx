import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { fieldError } from '../../words/form-errors.ts'
import { problemWords } from '../../words/problem-words.ts'
import type { NoticeWebhookState } from './use-notice-webhook.ts'

export interface NoticeFormProps {
  /** The current notice URL; nothing: none. */
  readonly url: string
  readonly save: NoticeWebhookState['save']
}

/** Sets or changes the notice URL. A change keeps the secret. */
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
        label={isNew ? 'Send notices to' : 'New URL for notices'}
        hint={
          isNew ? 'After you save, we show the signing secret once.' : 'The signing secret stays the same.'
        }
        type="url"
        name="notice-url"
        required
        mono
        placeholder="https://ops.example.com/posthorn"
        value={text}
        error={save.error && (fieldError(save.error, '/url') ?? problemWords(save.error))}
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
        {isNew ? 'Send notices' : 'Change URL'}
      </Button>
    </form>
  )
}
