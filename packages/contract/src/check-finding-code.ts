import { attemptErrorCodes } from './attempt-error-code.ts'

/** What the check of an endpoint can find. Every error of an attempt is also a finding. */
export const checkFindingCodes = [
  'accepts_wrong_signature',
  'refuses_right_signature',
  'slow',
  'certificate_ends_soon',
  ...attemptErrorCodes,
] as const

export type CheckFindingCode = (typeof checkFindingCodes)[number]

/** What the check of a URL can find. Every error of an attempt is also a finding. */
export const urlCheckFindingCodes = ['certificate_ends_soon', 'slow', ...attemptErrorCodes] as const

export type UrlCheckFindingCode = (typeof urlCheckFindingCodes)[number]
