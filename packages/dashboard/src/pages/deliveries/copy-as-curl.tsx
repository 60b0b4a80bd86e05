import { Check } from 'lucide-react'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { useNowMs } from '../../app/clock.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Popup } from '../../components/popup.tsx'
import { Time } from '../../components/time.tsx'
import { type CurlRequest, curlCommand, signedAtMs } from '../../format/curl-command.ts'
import { formatSpan } from '../../format/numbers.ts'

/** The default tolerance of our library. */
const toleranceMs = 300_000

/** The request as a curl command, with a warning if a receiver would refuse its age. */
export function CopyAsCurl(request: CurlRequest) {
  const [isCopied, setIsCopied] = useState(false)
  const command = curlCommand(request)
  const copy = async (): Promise<void> => {
    setIsCopied(false)
    // if the browser forbids copying, the command can be selected
    await navigator.clipboard.writeText(command)
    setIsCopied(true)
    announce('Copied curl command')
  }
  return (
    <Popup
      label="Copy as curl"
      align="end"
      className="w-160! space-y-3"
      onOpen={() => void copy().catch(() => {})}
    >
      {isCopied && (
        <p className="flex items-center gap-1.5">
          <Check size={16} aria-hidden className="text-delivered" /> Copied.
        </p>
      )}
      <CurlNotes headers={request.headers} />
      <CodeBlock code={command} what="curl command" label="Copy" />
    </Popup>
  )
}

function CurlNotes({ headers }: { headers: CurlRequest['headers'] }) {
  const ageMs = useNowMs() - (signedAtMs(headers) ?? 0)
  const signedMs = signedAtMs(headers)
  const hidden = Object.entries(headers).flatMap(([name, value]) => (value === '***' ? [name] : []))
  return (
    <>
      {signedMs !== null && ageMs > toleranceMs && (
        <p className="border-l-4 border-failed bg-failed-tint px-3 py-2">
          The signature is from <Time at={new Date(signedMs).toISOString()} />, {formatSpan(ageMs)} old. A
          receiver that checks the age refuses requests older than 300 s, so that nobody can replay them.
          Retry now creates a new signature.
        </p>
      )}
      {hidden.length > 0 && (
        <p>
          We do not keep the values of your extra headers. Replace <code>***</code> in {hidden.join(', ')}{' '}
          with your values.
        </p>
      )}
    </>
  )
}
