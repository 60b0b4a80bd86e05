import { type Api, type Customer, newCustomer } from '../../packages/server/test/support/api.ts'

export interface AccountPlan {
  accounts: number
  /** Endpoints per account. Each subscribes to everything. */
  endpointsEach: number
  /** The URL of endpoint `n`, counted over all accounts. */
  url: (n: number) => string
}

/** Creates accounts with endpoints through the API, eight at a time, and returns them in order. */
export async function newAccounts(url: string, operator: Api, plan: AccountPlan): Promise<Customer[]> {
  const customers: Customer[] = []
  let next = 0
  const make = async (): Promise<void> => {
    for (let n = next++; n < plan.accounts; n = next++) {
      const customer = await newCustomer(url, operator, Math.max(10, plan.endpointsEach))
      customers[n] = customer
      for (let nth = 0; nth < plan.endpointsEach; nth++)
        await customer.newWebhook({ url: plan.url(n * plan.endpointsEach + nth) })
    }
  }
  await Promise.all(Array.from({ length: 8 }, make))
  return customers
}
