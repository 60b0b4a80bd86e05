import { requireTestProgram } from '../../tools/test-programs/test-programs.ts'

/** The part of Stripe's library that verifies signatures; it asks for a key and calls nobody. */
export function openStripe(): Stripe {
  const StripeClass = requireTestProgram<new (key: string) => Stripe>('stripe')
  return new StripeClass('sk_test_not_used')
}

interface Stripe {
  readonly webhooks: {
    readonly signature?: {
      verifyHeader(
        body: string | Uint8Array,
        header: string,
        secret: string,
        toleranceSeconds: number,
      ): boolean
    }
  }
}
