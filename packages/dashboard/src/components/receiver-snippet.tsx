import { useSession } from '../app/session.ts'
import { receiverSnippet, type SnippetOptions } from '../words/receiver-snippets.ts'
import type { Receiver } from '../words/receivers.ts'
import { CodeBlock } from './code-block.tsx'

/** The code of one receiver, to copy. */
export function ReceiverSnippet({ receiver, ...options }: SnippetOptions & { readonly receiver: Receiver }) {
  const signatureHeader = `${useSession().header_prefix}-Signature`
  return (
    <CodeBlock
      code={receiverSnippet(receiver, { ...options, signatureHeader })}
      what="code"
      label="Copy code"
    />
  )
}
