import { lazy, Suspense, useState } from 'react'
import type { SnippetOptions } from '../words/receiver-snippets.ts'
import { type Receiver, receivers } from '../words/receivers.ts'
import { CodeBlock } from './code-block.tsx'
import { Segments } from './segments.tsx'
import { Skeleton } from './skeleton.tsx'

// loaded with the first code that is shown, because most visits show none
const ReceiverSnippet = lazy(async () => ({
  default: (await import('./receiver-snippet.tsx')).ReceiverSnippet,
}))

export interface ReceiverCodeProps extends SnippetOptions {
  /** The secret for the `.env` line, offered first; null or nothing: no such line. */
  readonly envLine?: string | null
  /** The framework shown first; nothing: only the choice of frameworks. */
  readonly initial?: Receiver
}

/** Receiver code in the reader's framework, to copy. */
export function ReceiverCode({ envLine = null, initial, ...snippet }: ReceiverCodeProps) {
  const [chosen, setChosen] = useState<Receiver | '.env line' | ''>(initial ?? '')
  const choices = [...(envLine === null ? [] : ['.env line' as const]), ...receivers]
  return (
    <div className="space-y-2">
      <Segments
        label="Code for your receiver"
        value={chosen}
        options={choices.map(value => ({ value, label: value }))}
        onChange={setChosen}
      />
      {chosen === '.env line' && envLine !== null && (
        <CodeBlock code={envLine} what="line" label="Copy line" />
      )}
      {chosen !== '.env line' && chosen !== '' && (
        <Suspense fallback={<Skeleton lines={8} />}>
          <ReceiverSnippet receiver={chosen} {...snippet} />
        </Suspense>
      )}
    </div>
  )
}
