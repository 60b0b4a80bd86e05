import { urlFaults } from './url-faults.ts'

urlFaults(4_000)
