import type { Mistake } from './mistake.ts'
import { isMilliseconds } from '../rules/signed-at.ts'

/** Common mistakes in the signed text before the body. `undone` is that text as it was signed. */
export function messageMistakes(timestampText: string): Mistake<string>[] {
  const seconds = Number(timestampText)
  const units: Mistake<string> = isMilliseconds(timestampText)
    ? {
        was: 't was converted to milliseconds after it was signed',
        fits: 'with t in seconds',
        mender: 'signer',
        undone: `${Math.floor(seconds / 1000)}.`,
      }
    : {
        was: 't was signed in milliseconds and sent in seconds',
        fits: 'with t in milliseconds',
        mender: 'signer',
        undone: `${seconds * 1000}.`,
      }
  return [
    units,
    { was: 'only the body was signed', fits: 'without “t.” before the body', mender: 'signer', undone: '' },
    {
      was: 'the dot between t and the body was missing',
      fits: 'without the dot',
      mender: 'signer',
      undone: timestampText,
    },
  ]
}
