import type { ProviderKind } from '@posthorn/contract'
import { fromMailgun } from './from-mailgun.ts'
import { fromSes } from './from-ses.ts'
import type { Provider } from './provider.ts'
import { verifyMailgun } from './verify-mailgun.ts'
import { verifySes } from './verify-ses.ts'

/** How each provider signs its requests, and what these report. */
export const providers: Readonly<Record<ProviderKind, Provider>> = {
  mailgun: {
    keyFlaw: key => (/^[\x21-\x7e]{16,256}$/.test(key) ? null : 'must be the HTTP webhook signing key'),
    verify: verifyMailgun,
    translate: fromMailgun,
  },
  ses: {
    keyFlaw: key =>
      /^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}(?:\.fifo)?$/.test(key)
        ? null
        : 'must be the ARN of the SNS topic, such as arn:aws:sns:eu-west-1:123456789012:mail',
    verify: verifySes,
    translate: fromSes,
  },
}
