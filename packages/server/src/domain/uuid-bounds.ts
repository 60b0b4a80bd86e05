/** The least and the greatest possible id. */
export const leastUuid = '00000000-0000-0000-0000-000000000000'
export const greatestUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
