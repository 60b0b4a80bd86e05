import type { Customer } from '../support/api.ts'

/** Creates `count` endpoints for one customer through the API, as fast as it accepts them. */
export async function newWebhooks(
  customer: Customer,
  count: number,
  url: (n: number) => string,
): Promise<void> {
  let next = 0
  const make = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) await customer.newWebhook({ url: url(n) })
  }
  await Promise.all(Array.from({ length: 32 }, make))
}
