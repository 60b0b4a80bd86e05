import { addressFaults } from './address-faults.ts'

addressFaults(3_000, 30)
