import { useState } from 'react'

/**
 * The error of requests, also while they are tried again, so that the message stays.
 * @param about what the requests are about; another value drops the error
 */
export function useHeldError(
  about: string,
  { error, isPending }: { readonly error: Error | null; readonly isPending: boolean },
): Error | null {
  const [held, setHeld] = useState<{ readonly about: string; readonly error: Error } | null>(null)
  const isHeld = held?.about === about
  if (error !== null && !(isHeld && held.error === error)) setHeld({ about, error })
  if (error === null && !isPending && held !== null) setHeld(null)
  return error ?? (isPending && isHeld ? held.error : null)
}
