import { useState } from 'react'
import { type Receiver, type SnippetOptions, receivers, receiverSnippet } from '../words/receiver-snippets.ts'
import { CodeBlock } from './code-block.tsx'
import { Segments } from './segments.tsx'

export interface ReceiverCodeProps extends SnippetOptions {
  /** Offered first, as the line of a `.env` file; null or nothing: not offered. */
  readonly envLine?: string | null
  /** Shown at first; nothing: only the choice is. */
  readonly initial?: Receiver
}

/** A receiver's code in the reader's framework, to copy. */
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
        <CodeBlock code={receiverSnippet(chosen, snippet)} what="code" label="Copy code" />
      )}
    </div>
  )
}
