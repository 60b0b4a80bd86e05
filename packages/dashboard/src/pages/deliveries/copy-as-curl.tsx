import { Check } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useState } from 'react'
import { announce } from '../../app/announce.ts'
import { useNowMs } from '../../app/clock.ts'
import { buttonLook } from '../../components/button-look.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Time } from '../../components/time.tsx'
import { type CurlRequest, curlCommand, signedAtMs } from '../../format/curl-command.ts'
import { formatSpan } from '../../format/numbers.ts'

/** What our library, and every receiver that follows it, accepts by default. */
const toleranceMs = 300_000

/** The request as a command; says when a live receiver would refuse it, and why. */
export function CopyAsCurl(request: CurlRequest) {
  const [isCopied, setIsCopied] = useState(false)
  const command = curlCommand(request)
  const copy = async (isOpen: boolean): Promise<void> => {
    setIsCopied(false)
    if (!isOpen) return
    // where the browser forbids it, the command is there to be selected
    await navigator.clipboard.writeText(command)
    setIsCopied(true)
    announce('Copied curl command')
  }
  return (
    <Popover.Root onOpenChange={isOpen => void copy(isOpen).catch(() => {})}>
      <Popover.Trigger className={buttonLook('plain')}>Copy as curl</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          align="end"
          sideOffset={4}
          collisionPadding={16}
          aria-label="Copy as curl"
          className="z-20 w-160 max-w-[calc(100vw-2rem)] space-y-3 rounded border border-line bg-surface p-4 shadow-float"
        >
          {isCopied && (
            <p className="flex items-center gap-1.5">
              <Check size={16} aria-hidden className="text-delivered" /> Copied.
            </p>
          )}
          <CurlNotes headers={request.headers} />
          <div className="max-h-80 overflow-y-auto">
            <CodeBlock code={command} what="curl command" label="Copy" />
          </div>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
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
          receiver that checks the age refuses what is older than 300 s, so that nobody can repeat a request.
          Retry now signs anew.
        </p>
      )}
      {hidden.length > 0 && (
        <p>
          We keep no values of your own headers: put yours in for <code>***</code> in {hidden.join(', ')}.
        </p>
      )}
    </>
  )
}
