import { askedToStop } from './asked-to-stop.ts'

/** Aborts when the process is asked to stop. */
export function stopSignal(): AbortSignal {
  const stop = new AbortController()
  void askedToStop().then(reason => stop.abort(reason))
  return stop.signal
}
