import { one } from './one.ts' // expect no-cycle

export const two = (): number => one()
