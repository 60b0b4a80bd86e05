import type { Mistake } from './mistake.ts'
import { isMilliseconds } from '../rules/signed-at.ts'

/** What usually goes wrong before the body in what is signed. `undone` is the text that was signed before the body. */
export function messageMistakes(timestampText: string): Mistake<string>[] {
  const seconds = Number(timestampText)
  const units: Mistake<string> = isMilliseconds(timestampText)
    ? {
        was: 't was turned into milliseconds after it was signed',
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
    { was: 'the body alone was signed', fits: 'without “t.” before the body', mender: 'signer', undone: '' },
    {
      was: 'the dot between t and the body was left out',
      fits: 'without the dot',
      mender: 'signer',
      undone: timestampText,
    },
  ]
}
