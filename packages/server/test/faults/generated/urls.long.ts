import { urlFaults } from './url-faults.ts'

urlFaults(400_000)
