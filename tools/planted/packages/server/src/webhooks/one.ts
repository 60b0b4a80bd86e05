import { two } from './two.ts' // expect no-cycle

export const one = (): number => two()
