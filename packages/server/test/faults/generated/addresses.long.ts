import { addressFaults } from './address-faults.ts'

addressFaults(200_000, 1_000)
