import { attemptErrorCodes } from './attempt-error-code.ts'

/** What a check can find, besides whatever can go wrong with an attempt. */
export const checkFindingCodes = [
  'accepts_wrong_signature',
  'refuses_right_signature',
  'slow',
  'certificate_ends_soon',
  ...attemptErrorCodes,
] as const

export type CheckFindingCode = (typeof checkFindingCodes)[number]

/** What the check of a URL can find, besides whatever can go wrong with an attempt. */
export const urlCheckFindingCodes = ['certificate_ends_soon', 'slow', ...attemptErrorCodes] as const

export type UrlCheckFindingCode = (typeof urlCheckFindingCodes)[number]
